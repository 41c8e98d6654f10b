import type { PublishedReceiptKey } from '@countersign/core'
import { type Finding, failed, notConfigured, ok } from './check.ts'
import type { FoundKeys } from './keys.ts'

const isEnded = ({ retiredAt, revokedAt }: PublishedReceiptKey): boolean => retiredAt !== null || revokedAt !== null

/** Checks the keys of receipts. A key that is not published yet can sign, because the next start publishes it. */
export const examineReceipts = (
  { tokens, fields, receipts }: Pick<FoundKeys, 'tokens' | 'fields' | 'receipts'>,
  areOn: boolean,
  published: readonly PublishedReceiptKey[] = [],
): Finding => {
  if (!areOn) return notConfigured('off: approvals leave no receipt and cannot be redeemed')
  if (receipts === undefined) {
    return notConfigured(
      tokens === undefined || fields === undefined
        ? 'the key is made on the next start, under .countersign/'
        : 'no receipts are made: COUNTERSIGN_RECEIPT_KEYS is not set; `countersign keys generate --receipt` makes a value',
    )
  }
  const ended = new Set(published.filter(isEnded).map(({ kid }) => kid))
  const [signing] = receipts.keys.filter(({ kid }) => !ended.has(kid))
  if (signing === undefined) return failed('every key is retired or revoked, so no receipts are made; add a new key to the ring')
  const useless = receipts.keys.filter(({ kid }) => ended.has(kid)).map(({ kid }) => kid)
  const note = useless.length === 0 ? '' : `; retired or revoked, and needed no more: ${useless.join(', ')}`
  return ok(`${signing.kid} signs (${signing.alg})${note}`)
}
