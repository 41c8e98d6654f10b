import type { Instant } from '../../shared/clock.ts'
import type { PublishedReceiptKey } from './receipt-key.ts'

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
