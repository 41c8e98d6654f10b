import type { ArchivedConfirmation, PublishedReceiptKey } from '@countersign/core'
import { CommandFailed } from '../../shared/failures.ts'

/**
 * Makes an offline check of receipts that throws CommandFailed for the first receipt that is not genuine. Rows are deleted only
 * after this check, so the database keeps each confirmation whose receipt is not genuine.
 */
export const requireGenuine = async (keys: readonly PublishedReceiptKey[]) => {
  const [{ verifyReceipt }, { serializeReceiptKeys }] = await Promise.all([
    import('@countersign/client-sdk/receipt'),
    import('@countersign/server'),
  ])
  const published = serializeReceiptKeys(keys)
  return async (confirmations: readonly ArchivedConfirmation[]): Promise<void> => {
    for (const { id, receipt } of confirmations) {
      if (receipt === null) continue
      const verdict = await verifyReceipt(receipt, { keys: published })
      if (verdict.verdict !== 'refused') continue
      const why = `${verdict.step}: ${verdict.reason}`
      throw new CommandFailed(`the receipt of ${id} proves nothing (${why}); it and all later confirmations stay in the database`)
    }
  }
}
