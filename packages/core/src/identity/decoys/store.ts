import type { CredentialCounts, DecoyProfile } from './decoy-profile.ts'

/** The profiles that decoys follow, shared by all processes: decoys that differ between two servers would show. */
export interface DecoyProfileStore {
  /**
   * Counts the credentials of the 20,000 users who were created last, as they are now. A form that fewer than `leastUsers` users have is left out, and of
   * the others the 50 most common are returned.
   */
  count(leastUsers: number): Promise<CredentialCounts>
  /** The newest profile and the one before, newest first. */
  newest(): Promise<readonly DecoyProfile[]>
  /** Keeps a profile. One atomic statement: of any number at once with one number, one gets `true`, and its profile stays. */
  keep(profile: DecoyProfile): Promise<boolean>
}
