/** The work of a hasher at one moment. */
export interface HasherLoad {
  readonly running: number
  readonly waiting: number
  /** The most that may wait. */
  readonly queue: number
}

/** Hashes passwords off the event loop, with limited concurrency. */
export interface PasswordHasher {
  /** Returns a PHC string of the password with a fresh salt. @throws Unavailable if too many hashes are waiting */
  hash(password: string): Promise<string>
  /**
   * Returns whether the hash matches the password. `null` stands for an account that is unknown or has no password; it costs
   * the same work and never matches.
   *
   * @param guard Runs when this call leaves the queue, before any work. An error of the guard refuses the call.
   * @param like The hash of another account, or `null`. Where `hash` is `null`, the work is that of a check of `like`, so that
   *   the time of the call is that of some account. A hasher with one cost for all accounts may ignore `like`.
   * @throws Unavailable if too many hashes are waiting
   */
  verify(hash: string | null, password: string, guard?: () => Promise<void>, like?: string | null): Promise<boolean>
  /**
   * Refuses the call where `verify` would refuse it. A login calls this method before the look-up of the user, so that a flood
   * of logins causes no look-ups. Optional.
   *
   * @throws Unavailable if too many hashes are waiting
   */
  ensureRoom?(): void
  /** Returns the present load, for metrics. Optional. */
  load?(): HasherLoad
  /** Returns whether the hash has weaker parameters than a new hash, or another format. */
  isOutdated(hash: string): boolean
  /**
   * Returns why a hash from elsewhere is not accepted; `undefined` where `verify` can check it at a bearable cost. Computes
   * nothing. Optional; without this method, no hash is imported.
   *
   * @returns a text that continues a sentence about the hash, such as `must have a bcrypt cost of 4 to 14`
   */
  refusalOf?(hash: string): string | undefined
}
