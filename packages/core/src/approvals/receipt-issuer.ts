import type { IdentityStores } from '../identity/stores.ts'
import type { Instant } from '../shared/clock.ts'
import type { Confirmation } from './records/confirmation.ts'
import type { ApprovalStores } from './stores.ts'

/** The names of the stores that a receipt is made from. */
export type ReceiptStores = 'users' | 'devices' | 'receiptKeys' | 'approvalRequests'

export interface ReceiptIssue {
  readonly issuedAt: Instant
  /** The stores of a transaction of the host; the storage by default. */
  readonly stores?: Pick<IdentityStores & ApprovalStores, ReceiptStores>
}

/**
 * Makes the receipt of an approved confirmation. The same confirmation, key and `issuedAt` give the same text, with `Ed25519`
 * keys. The times in a receipt are real times: a server subtracts its correction to the clock of the database, so another
 * correction gives another text.
 */
export type ReceiptIssuer = (confirmation: Confirmation, issue: ReceiptIssue) => Promise<string>
