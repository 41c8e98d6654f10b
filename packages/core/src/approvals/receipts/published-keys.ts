import type { Clock, Instant } from '../../shared/clock.ts'
import { seconds } from '../../shared/clock.ts'
import { ReceiptsUnavailable } from './errors.ts'
import { maySign, type PublishedReceiptKey } from './receipt-key.ts'
import type { ReceiptKeyRing, ReceiptSigningKey } from './receipt-key-ring.ts'
import type { ReceiptKeyStore } from './store.ts'

/** A retired or revoked key stops signing in every process within this time. */
const CACHED_FOR = seconds(1)

export interface ReceiptKeys {
  /** Returns all published keys. Publishes the keys of the ring first. */
  published(): Promise<readonly PublishedReceiptKey[]>
  /**
   * Returns the first key of the ring that may sign a receipt of this time of issue, and since when. The key may sign now, too:
   * the time of issue is that of the machine, and the end of a key is that of the database. @throws ReceiptsUnavailable
   */
  signing(issuedAt: Instant): Promise<{ readonly key: ReceiptSigningKey; readonly activeFrom: Instant }>
}

/** Knows the published keys for a second. No key signs before it is published. */
export const receiptKeys = (
  { store, clock }: { readonly store: ReceiptKeyStore; readonly clock: Clock },
  ring: ReceiptKeyRing,
): ReceiptKeys => {
  let recentlyRead: { readonly keys: readonly PublishedReceiptKey[]; readonly readAt: Instant } | undefined

  const published = async () => {
    const now = clock.now()
    let keys = await store.all()
    const isKnown = new Set(keys.map(({ kid }) => kid))
    const unknown = ring.keys.filter(({ kid }) => !isKnown.has(kid))
    for (const { kid, alg, jwk } of unknown) {
      await store.publish({ kid, alg, jwk, activeFrom: now, retiredAt: null, revokedAt: null, revokedReason: null })
    }
    if (unknown.length > 0) keys = await store.all()
    recentlyRead = { keys, readAt: now }
    return keys
  }

  const recent = async (now: Instant) =>
    recentlyRead !== undefined && now >= recentlyRead.readAt && now < recentlyRead.readAt + CACHED_FOR
      ? recentlyRead.keys
      : published()

  return {
    published,
    signing: async (issuedAt) => {
      const now = clock.now()
      const known = await recent(now)
      for (const key of ring.keys) {
        const published = known.find(({ kid }) => kid === key.kid)
        if (published !== undefined && maySign(published, Math.max(now, issuedAt)))
          return { key, activeFrom: published.activeFrom }
      }
      throw new ReceiptsUnavailable()
    },
  }
}
