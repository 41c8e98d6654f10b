import type { CredentialCounts, DecoyProfile } from './decoy-profile.ts'

/** The decoy profiles. All processes share them, because decoys that differ between two servers would be detectable. */
export interface DecoyProfileStore {
  /**
   * Returns the statistics of the credentials of the 20,000 newest users. Forms with fewer than `leastUsers` users are left
   * out. At most the 50 most common forms are returned.
   */
  count(leastUsers: number): Promise<CredentialCounts>
  /** Returns the two newest profiles, newest first. */
  newest(): Promise<readonly DecoyProfile[]>
  /**
   * Stores a profile, and returns whether it was stored. One atomic statement: of several concurrent profiles with the same
   * number, exactly one is stored.
   */
  keep(profile: DecoyProfile): Promise<boolean>
}
