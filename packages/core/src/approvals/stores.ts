import type { IdentityStores } from '../identity/stores.ts'
import type { HostClient } from '../shared/host-client.ts'
import type { Transactional } from '../shared/transactional.ts'
import type { ActionTypeStore } from './action-types/action-type.ts'
import type { ReceiptKeyStore } from './receipt-keys/receipt-key.ts'
import type { ActionPolicyStore } from './records/action-policy.ts'
import type { ApprovalStore } from './records/approval.ts'
import type { ApprovalRequestStore } from './records/approval-request.ts'
import type { ConfirmationStore } from './records/confirmation.ts'
import type { PushWindowStore } from './records/push-window.ts'
import type { VouchingStore } from './records/vouching.ts'

/** The stores of approvals. */
export interface ApprovalStores {
  readonly approvals: ApprovalStore
  readonly confirmations: ConfirmationStore
  readonly vouchings: VouchingStore
  readonly pushWindows: PushWindowStore
  readonly receiptKeys: ReceiptKeyStore
  readonly actionTypes: ActionTypeStore
  readonly approvalRequests: ApprovalRequestStore
  readonly actionPolicies: ActionPolicyStore
}

/** The stores in a transaction of the host. Their own transactions are parts of the host's transaction. */
export type HostTransactionStores = Transactional<IdentityStores & ApprovalStores>

/** A storage that may be able to take part in a transaction of the host. */
export interface WithinHostTransactions {
  /**
   * Returns stores whose statements run on a client of the host, inside the transaction that the host began and ends. Leaves no
   * state in its session. Missing on a database whose transactions cannot be shared, such as SQLite.
   * @throws TypeError for another thing than a client inside a transaction
   */
  readonly within?: (client: HostClient) => HostTransactionStores
}
