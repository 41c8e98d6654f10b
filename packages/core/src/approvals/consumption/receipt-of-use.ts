import type { Instant } from '../../shared/clock.ts'
import type { Confirmation } from '../confirmations/confirmation.ts'
import type { ReceiptIssuer } from '../receipts/receipt-issuer.ts'
import { type ApprovalUse, type ConsumeDeps, type ConsumedConfirmation, consumeIn } from './consume-in.ts'
import type { HostTransactionStores } from './host-client.ts'

/** A consumed approval with its receipt. */
export interface UseWithReceipt {
  readonly confirmation: ConsumedConfirmation
  readonly receipt: string
}

/**
 * Consumes an approval and returns its receipt. The receipt is made first: an approval whose receipt cannot be made is not
 * consumed. Its time of issue is the time of the consumption, so a repeated use gets the same receipt.
 *
 * @throws the errors of `consumeIn` and of the issuer
 */
export const consumeWithReceipt = async (
  deps: ConsumeDeps,
  tx: HostTransactionStores,
  use: ApprovalUse,
  issueReceipt: ReceiptIssuer,
  mayRepeat: boolean,
): Promise<UseWithReceipt> => {
  let made: { readonly receipt: string; readonly issuedAt: Instant } | undefined
  const issue = async (confirmation: Confirmation, issuedAt: Instant): Promise<string> => {
    const receipt = await issueReceipt(confirmation, { issuedAt })
    made = { receipt, issuedAt }
    return receipt
  }
  const prepare = async (consumed: ConsumedConfirmation) => void (await issue(consumed, consumed.consumedAt))
  const confirmation = await consumeIn(deps, tx, use, { mayRepeat, prepare })
  const { consumedAt } = confirmation
  // A repeated use: the first use decided the time.
  const receipt = made?.issuedAt === consumedAt ? made.receipt : await issue(confirmation, consumedAt)
  return { confirmation, receipt }
}
