import type { IdentityDeps } from '../identity/deps.ts'
import type { IdentityOptions } from '../identity/options.ts'
import type { IdentityStores } from '../identity/stores.ts'
import type { Transactional } from '../shared/transactional.ts'
import type { DescribeAction } from './action-display.ts'
import type { Observer } from './observer.ts'
import type { ApprovalOptions } from './options.ts'
import type { ReceiptIssuer } from './receipt-issuer.ts'
import type { ReceiptKeys } from './receipt-keys/published-keys.ts'
import type { ApprovalStores, WithinHostTransactions } from './stores.ts'

/** Everything that use cases of approvals may need. Each use case picks the members that it needs. */
export interface ApprovalDeps extends Omit<IdentityDeps, 'storage' | 'options' | 'vouching'> {
  readonly storage: Transactional<IdentityStores & ApprovalStores> & WithinHostTransactions
  readonly options: ApprovalOptions & Pick<IdentityOptions, 'relyingParty' | 'passkeyApprovals' | 'rateLimits'>
  readonly describeAction: DescribeAction
  readonly observer: Observer
  /** Returns the name of the issuer of receipts, which every statement has; `null` if the host configured no receipts. */
  readonly issuer: () => string | null
  /** `undefined` if the host configured no receipts. */
  readonly issueReceipt: ReceiptIssuer | undefined
  /** `undefined` if the host configured no receipts. */
  readonly receiptKeys: ReceiptKeys | undefined
}
