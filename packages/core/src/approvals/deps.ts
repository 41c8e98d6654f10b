import type { Checked, OperationName } from '@countersign/contract'
import type { Caller } from '../identity/authentication/caller.ts'
import type { CallingService } from '../identity/authentication/calling-service.ts'
import type { IdentityDeps } from '../identity/deps.ts'
import type { IdentityOptions } from '../identity/options.ts'
import type { IdentityStores } from '../identity/stores.ts'
import type { FromClient } from '../shared/from-client.ts'
import type { Transactional } from '../shared/transactional.ts'
import type { DescribeAction } from './action-display.ts'
import type { Observer } from './observer.ts'
import type { ApprovalOptions } from './options.ts'
import type { ReceiptIssuer } from './receipt-issuer.ts'
import type { ReceiptKeys } from './receipt-keys/published-keys.ts'
import type { Payload } from './records/payload.ts'
import type { ApprovalStores, WithinHostTransactions } from './stores.ts'

/** Everything that use cases of approvals may need. Each use case picks the members that it needs. */
export interface ApprovalDeps extends Omit<IdentityDeps, 'storage' | 'options' | 'vouching'> {
  readonly storage: Transactional<IdentityStores & ApprovalStores> & WithinHostTransactions
  readonly options: ApprovalOptions &
    Pick<IdentityOptions, 'relyingParty' | 'passkeyApprovals' | 'approverVerification' | 'rateLimits'>
  readonly describeAction: DescribeAction
  readonly observer: Observer
  /** Returns the name of the issuer of receipts, which every statement has; `null` if the host configured no receipts. */
  readonly issuer: () => string | null
  /** `undefined` if the host configured no receipts. */
  readonly issueReceipt: ReceiptIssuer | undefined
  /** `undefined` if the host configured no receipts. */
  readonly receiptKeys: ReceiptKeys | undefined
}

/** Makes and announces confirmations, also of vouchings, which need neither registered action types nor receipts. */
export type ConfirmationDeps = Omit<ApprovalDeps, 'describeAction' | 'issueReceipt' | 'receiptKeys'>

export type ApprovalStorage = Pick<ApprovalDeps, 'storage'>

export type ApproverLookup = Pick<ApprovalDeps, 'storage' | 'users'>

/** Reads confirmations and requests with their encrypted contents, and their state at the time of the clock. */
export type ApprovalReading = Pick<ApprovalDeps, 'storage' | 'clock' | 'encryptionKeys'>

export type ByCaller<N extends OperationName, C = Caller> = Checked<N> & { readonly caller: C }

/** The members of the input of an operation that asks for an approval: the client of the caller, and the payload as it was read. */
export interface AskingInput extends FromClient {
  readonly payload: Payload
}

export type ByService<N extends OperationName> = Checked<N> & { readonly service: CallingService }
