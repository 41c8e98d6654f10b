import type { Instant } from '../../shared/clock.ts'
import type { ReceiptSigningKey } from './receipt-key-ring.ts'

/** The published half of a receipt key. It is never deleted, because receipts are verified years later. */
export interface PublishedReceiptKey extends Omit<ReceiptSigningKey, 'privateKey'> {
  /** The time of the publication. No receipt has an earlier time of issue. */
  readonly activeFrom: Instant
  /** The time at which the key stopped signing. Earlier receipts stay valid. */
  readonly retiredAt: Instant | null
  /** The time at which the key was revoked. Receipts of a revoked key prove nothing. */
  readonly revokedAt: Instant | null
  readonly revokedReason: string | null
}

/** Returns whether the published key may sign at `now`; also before `activeFrom`, which bounds the time of issue. */
export const maySign = ({ retiredAt, revokedAt }: PublishedReceiptKey, now: Instant): boolean =>
  revokedAt === null && (retiredAt === null || now < retiredAt)

/** The published receipt keys. Keys are never deleted. */
export interface ReceiptKeyStore {
  /** Adds a key. Does nothing if a key with this id exists, so that servers may publish the same key at the same time. */
  publish(key: PublishedReceiptKey): Promise<void>
  /** Returns all keys, the oldest first. */
  all(): Promise<readonly PublishedReceiptKey[]>
  /** Retires a key from `at` on. Returns `false` if the key is unknown, or was retired or revoked before. One statement. */
  retire(kid: string, at: Instant): Promise<boolean>
  /** Revokes a key, also a retired one. Returns `false` if the key is unknown or was revoked before. One statement. */
  revoke(kid: string, at: Instant, reason: string): Promise<boolean>
}
