import type { SealedField } from '../../shared/crypto/field-encryption.ts'
import { confirmationFields } from '../confirmations/sealed-fields.ts'
import type { ApprovalDeps } from '../deps.ts'
import type { ReceiptIssuer, ReceiptStores } from '../receipt-issuer.ts'
import type { HostTransactionStores } from '../stores.ts'
import { type ApprovalUse, type ConsumeDeps, type ConsumedConfirmation, consumeIn } from './consume-in.ts'

/** A consumed approval with its receipt. */
export interface UseWithReceipt {
  readonly confirmation: ConsumedConfirmation
  readonly receipt: string
}

/**
 * Consumes an approval and returns its receipt. The receipt is made first: an approval whose receipt cannot be made is not
 * consumed. If the use may be repeated, the receipt is stored with the consumption, and a repeated use gets the very same
 * text: also after a change of the keys or of the name of the user.
 *
 * @throws the errors of `consumeIn` and of the issuer
 */
export const consumeWithReceipt = async (
  deps: ConsumeDeps & Pick<ApprovalDeps, 'random'>,
  stores: Pick<HostTransactionStores, 'confirmations' | ReceiptStores>,
  use: ApprovalUse,
  issueReceipt: ReceiptIssuer,
  mayRepeat: boolean,
): Promise<UseWithReceipt> => {
  let made: { readonly receipt: string; readonly sealed: SealedField | null } | undefined
  const prepare = async (consumed: ConsumedConfirmation): Promise<SealedField | null> => {
    const receipt = await issueReceipt(consumed, { issuedAt: consumed.consumedAt, stores })
    made = { receipt, sealed: mayRepeat ? confirmationFields.consumedReceipt.seal(deps, consumed.id, receipt) : null }
    return made.sealed
  }
  const confirmation = await consumeIn(deps, stores, use, { mayRepeat, prepare })
  const { id, consumedAt, consumedReceipt } = confirmation
  if (made !== undefined && made.sealed === consumedReceipt) return { confirmation, receipt: made.receipt }
  // A repeated use: the first use decided. It stored no receipt if the host had no receipts at that time.
  const receipt =
    consumedReceipt === null
      ? await issueReceipt(confirmation, { issuedAt: consumedAt, stores })
      : confirmationFields.consumedReceipt.open(deps, id, consumedReceipt)
  return { confirmation, receipt }
}
