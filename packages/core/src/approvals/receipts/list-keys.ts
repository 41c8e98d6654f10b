import type { ApprovalDeps } from '../deps.ts'
import type { PublishedReceiptKey } from '../receipt-keys/receipt-key.ts'

/**
 * Returns every published receipt key, the oldest first: current, announced, retired and revoked keys.
 * @example const keys = await countersign.receipts.keys()
 */
export async function listReceiptKeys({
  storage,
  receiptKeys,
}: Pick<ApprovalDeps, 'storage' | 'receiptKeys'>): Promise<readonly PublishedReceiptKey[]> {
  return receiptKeys === undefined ? storage.receiptKeys.all() : receiptKeys.published()
}
