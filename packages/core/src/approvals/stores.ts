import type { ActionTypeStore } from './action-types/store.ts'
import type { ConfirmationStore } from './confirmations/store.ts'
import type { ActionPolicyStore } from './policies/store.ts'
import type { PushWindowStore } from './push-windows/store.ts'
import type { ReceiptKeyStore } from './receipts/store.ts'
import type { ApprovalRequestStore } from './requests/store.ts'
import type { VouchingStore } from './vouching/store.ts'

/** The stores of approvals. */
export interface ApprovalStores {
  readonly confirmations: ConfirmationStore
  readonly vouchings: VouchingStore
  readonly pushWindows: PushWindowStore
  readonly receiptKeys: ReceiptKeyStore
  readonly actionTypes: ActionTypeStore
  readonly approvalRequests: ApprovalRequestStore
  readonly actionPolicies: ActionPolicyStore
}
