import type { Instant } from '../../shared/clock.ts'
import type { ReceiptAlgorithm, ReceiptJwk } from './receipt-key-ring.ts'

/**
 * The public half of a receipt key, as it is published. A published key is never deleted, because receipts are verified years
 * later.
 */
export interface PublishedReceiptKey {
  /** The RFC 7638 thumbprint. */
  readonly kid: string
  readonly alg: ReceiptAlgorithm
  readonly jwk: ReceiptJwk
  /** The time of the publication. The key signs from then on. */
  readonly activeFrom: Instant
  /** The time at which the key stopped signing. Receipts from before stay valid. */
  readonly retiredAt: Instant | null
  /** The time at which the key was revoked. Receipts of a revoked key prove nothing. */
  readonly revokedAt: Instant | null
  readonly revokedReason: string | null
}

/** Returns whether the key may sign at `now`. */
export const maySign = ({ activeFrom, retiredAt, revokedAt }: PublishedReceiptKey, now: Instant): boolean =>
  revokedAt === null && activeFrom <= now && (retiredAt === null || now < retiredAt)
