import { seconds } from '../../shared/clock.ts'
import { Invalid } from '../../shared/errors.ts'
import type { ApprovalDeps } from '../deps.ts'
import { ReceiptKeyEnded, ReceiptKeyNotFound } from '../receipt-keys/errors.ts'
import type { PublishedReceiptKey } from '../receipt-keys/receipt-key.ts'

/** The servers learn of a retired key within a second. Receipts that they sign until then stay valid. */
const RETIREMENT_DELAY = seconds(2)
const LONGEST_REASON = 200

/**
 * Retires a key: after two seconds it signs no further receipts, and the next key of the ring does. Its receipts stay valid.
 * @throws ReceiptKeyNotFound, ReceiptKeyEnded
 * @example await countersign.receipts.retireKey({ kid: 'receipts-2026' })
 */
export async function retireReceiptKey(deps: ApprovalDeps, { kid }: { readonly kid: string }): Promise<PublishedReceiptKey> {
  const isEnded = await deps.storage.receiptKeys.retire(kid, deps.clock.now() + RETIREMENT_DELAY)
  return endedKey(deps, kid, isEnded, 'receipt_key_retired')
}

/**
 * Revokes a key, also a retired one. Verifiers that know of the revocation refuse every receipt of the key, because a stolen key
 * can sign any time of issue. The servers stop signing with the key within a second.
 * @throws Invalid, ReceiptKeyNotFound, ReceiptKeyEnded
 * @example await countersign.receipts.revokeKey({ kid: 'receipts-2026', reason: 'A backup was stolen' })
 */
export async function revokeReceiptKey(
  deps: ApprovalDeps,
  { kid, reason }: { readonly kid: string; readonly reason: string },
): Promise<PublishedReceiptKey> {
  if (!/^\P{Cc}+$/u.test(reason) || reason.length > LONGEST_REASON) {
    throw new Invalid({ reason: `must be 1 to ${LONGEST_REASON} characters, without control characters` })
  }
  const isEnded = await deps.storage.receiptKeys.revoke(kid, deps.clock.now(), reason)
  return endedKey(deps, kid, isEnded, 'receipt_key_revoked')
}

const endedKey = async (
  { storage, logger }: ApprovalDeps,
  kid: string,
  isEnded: boolean,
  event: 'receipt_key_retired' | 'receipt_key_revoked',
): Promise<PublishedReceiptKey> => {
  const key = (await storage.receiptKeys.all()).find((one) => one.kid === kid)
  if (key === undefined) throw new ReceiptKeyNotFound()
  if (!isEnded) throw new ReceiptKeyEnded()
  logger.info(event, { kid })
  return key
}

/**
 * Returns every published receipt key, the oldest first: current, announced, retired and revoked keys.
 * @example const keys = await countersign.receipts.keys()
 */
export async function listReceiptKeys({ storage, receiptKeys }: ApprovalDeps): Promise<readonly PublishedReceiptKey[]> {
  return receiptKeys === undefined ? storage.receiptKeys.all() : receiptKeys.published()
}
