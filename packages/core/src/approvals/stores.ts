import type { ConfirmationStore } from './confirmations/store.ts'

/** The stores of approvals. */
export interface ApprovalStores {
  readonly confirmations: ConfirmationStore
}
