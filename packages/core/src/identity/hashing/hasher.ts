import type { Milliseconds } from '../../shared/clock.ts'

/** The work of one queue of a hasher at one moment. */
export interface LaneLoad {
  /** `own`: hashes as the hasher makes them. `foreign`: hashes from elsewhere, or of another cost. */
  readonly lane: 'own' | 'foreign'
  readonly running: number
  readonly waiting: number
  /** The time that a new hash would wait, as estimated. */
  readonly waitMs: Milliseconds
  /** The longest estimated wait. Beyond it, a new hash is refused. */
  readonly longestWaitMs: Milliseconds
}

/** A hash from elsewhere: the text to store for it, or the reason why it is not accepted. */
export type ImportedHash =
  | { readonly hash: string }
  /** The text continues a sentence about the hash, such as `must have a bcrypt cost of 4 to 14`. */
  | { readonly refusal: string }

/** Hashes passwords off the event loop, with limited concurrency. */
export interface PasswordHasher {
  /** Returns a PHC string of the password with a fresh salt. @throws Unavailable if too many hashes are waiting */
  hash(password: string): Promise<string>
  /**
   * Returns whether the hash matches the password. `null` is the hash of an account that is unknown or has no password: its check
   * costs the same work and never matches.
   *
   * @param guard Runs when this call leaves the queue, before any work. An error of the guard refuses the call.
   * @param like For the `null` of an unknown account: the hash of another account whose work is imitated, or `null`. A hasher with
   * one cost for all accounts may ignore it.
   * @throws Unavailable if too many hashes are waiting
   */
  verify(hash: string | null, password: string, guard?: () => Promise<void>, like?: string | null): Promise<boolean>
  /** Refuses the call if `hash` would, before a login looks up the user. Optional. @throws Unavailable */
  ensureRoom?(): void
  /** Returns the present load of each queue, for metrics. Optional. */
  load?(): readonly LaneLoad[]
  /** Returns whether the hash has weaker parameters than a new hash, or another format. */
  isOutdated(hash: string): boolean
  /**
   * Accepts a hash from elsewhere if `verify` can check it on this machine at a bearable cost; with `acceptSlow`, at any. Never
   * computes the hash itself. Optional; without this method, no hash is imported.
   */
  acceptHash?(hash: string, options?: { readonly acceptSlow?: boolean }): Promise<ImportedHash>
}
