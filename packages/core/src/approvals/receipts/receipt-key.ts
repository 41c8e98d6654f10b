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
  /** The time of the publication. No receipt has an earlier time of issue. */
  readonly activeFrom: Instant
  /** The time at which the key stopped signing. Earlier receipts stay valid. */
  readonly retiredAt: Instant | null
  /** The time at which the key was revoked. Receipts of a revoked key prove nothing. */
  readonly revokedAt: Instant | null
  readonly revokedReason: string | null
}

/**
 * Returns whether the published key may sign at `now`. `activeFrom` may be later than `now`, if the clock of the server that
 * published the key is ahead. The key signs all the same, because no receipt has a time of issue from before `activeFrom`.
 */
export const maySign = ({ retiredAt, revokedAt }: PublishedReceiptKey, now: Instant): boolean =>
  revokedAt === null && (retiredAt === null || now < retiredAt)
