export type { ReceiptKey, ReceiptKeys } from './issuer-key.ts'
export {
  type CheckedReceipt,
  type ReceiptDisplay,
  type ReceiptStatement,
  type ReceiptStep,
  type ReceiptVerdict,
  type RefusedReceipt,
  receiptSteps,
  type StatementDomain,
} from './verdict.ts'
export { type VerifyReceiptOptions, verifyReceipt } from './verify-receipt.ts'
