import { type Clock, type Instant, seconds } from '../../shared/clock.ts'
import type { Logger } from '../../shared/logger.ts'
import { ReceiptsUnavailable } from './errors.ts'
import { maySign, type PublishedReceiptKey, type ReceiptKeyStore } from './receipt-key.ts'
import type { ReceiptKeyRing, ReceiptSigningKey } from './receipt-key-ring.ts'

/** A retired or revoked key stops signing in every process within this time. */
const CACHED_FOR = seconds(1)

export interface ReceiptKeys {
  /** Returns all published keys. Publishes the keys of the ring first. */
  published(): Promise<readonly PublishedReceiptKey[]>
  /**
   * Returns the first key of the ring that may sign both now and at this time of issue, and since when. @throws ReceiptsUnavailable
   * @param asker The store in a transaction of the host, on whose connection keys are read and published.
   */
  signing(issuedAt: Instant, asker?: ReceiptKeyStore): Promise<{ readonly key: ReceiptSigningKey; readonly activeFrom: Instant }>
}

/** Caches the published keys for a second. No key signs before it is published. */
export const receiptKeys = (
  { store, clock, logger }: { readonly store: ReceiptKeyStore; readonly clock: Clock; readonly logger: Logger },
  ring: ReceiptKeyRing,
): ReceiptKeys => {
  let recentlyRead: { readonly keys: readonly PublishedReceiptKey[]; readonly readAt: Instant } | undefined

  const published = async (asked = store) => {
    const now = clock.now()
    let keys = await asked.all()
    const isKnown = new Set(keys.map(({ kid }) => kid))
    const unknown = ring.keys.filter(({ kid }) => !isKnown.has(kid))
    for (const { kid, alg, jwk } of unknown) {
      await asked.publish({ kid, alg, jwk, activeFrom: now, retiredAt: null, revokedAt: null, revokedReason: null })
      logger.info('receipt_key_published', { kid })
    }
    if (unknown.length > 0) keys = await asked.all()
    // A transaction of the host may read an old state, and may be rolled back.
    if (asked === store) recentlyRead = { keys, readAt: now }
    return keys
  }

  const recent = async (now: Instant, asker?: ReceiptKeyStore) =>
    recentlyRead !== undefined && now >= recentlyRead.readAt && now < recentlyRead.readAt + CACHED_FOR
      ? recentlyRead.keys
      : published(asker)

  return {
    published: () => published(),
    signing: async (issuedAt, asker) => {
      const now = clock.now()
      const known = await recent(now, asker)
      for (const key of ring.keys) {
        const published = known.find(({ kid }) => kid === key.kid)
        if (published !== undefined && maySign(published, Math.max(now, issuedAt)))
          return { key, activeFrom: published.activeFrom }
      }
      throw new ReceiptsUnavailable()
    },
  }
}
