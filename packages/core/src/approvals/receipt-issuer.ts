import type { IdentityStores } from '../identity/stores.ts'
import type { Instant } from '../shared/clock.ts'
import type { Confirmation } from './records/confirmation.ts'
import type { ApprovalStores } from './stores.ts'

export interface ReceiptIssue {
  readonly issuedAt: Instant
  /** The stores of a transaction of the host; the storage by default. */
  readonly stores?: Pick<IdentityStores & ApprovalStores, 'users' | 'devices' | 'receiptKeys' | 'approvalRequests'>
}

/** Makes the receipt of an approved confirmation. With `Ed25519`, the same input and clock correction give the same text. */
export type ReceiptIssuer = (confirmation: Confirmation, issue: ReceiptIssue) => Promise<string>
