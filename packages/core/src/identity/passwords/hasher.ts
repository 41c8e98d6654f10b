/** Hashes passwords: slowly, off the event loop, and never more at once than the machine bears. */
export interface PasswordHasher {
  /** A PHC string of the password under a fresh salt. @throws Unavailable where too many wait already. */
  hash(password: string): Promise<string>
  /**
   * Whether `hash` is of this password. `null`, for an account that is unknown or has no password, costs the same
   * work and is never right.
   *
   * @param guard Runs once it is this call's turn, before any work: what it throws refuses the call.
   * @throws Unavailable where too many wait already.
   */
  verify(hash: string | null, password: string, guard?: () => Promise<void>): Promise<boolean>
  /**
   * Refuses where `verify` would, before an account is looked up for it: of a flood of logins, only those that can be hashed
   * then ask for a user. A hasher without it is asked by `verify` alone.
   *
   * @throws Unavailable where too many wait already.
   */
  ensureRoom?(): void
  /** Whether the hash is of weaker parameters than new ones get. */
  isOutdated(hash: string): boolean
}
