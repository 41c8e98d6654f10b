import type { KeyAlgorithm, PasskeyAlgorithm } from '@countersign/contract'
import { days, type Instant } from '../../shared/clock.ts'

/** The visible properties of a passkey in login options, and the algorithm of its key. */
export interface PasskeyForm {
  readonly idBytes: number
  readonly transports: readonly string[]
  readonly algorithm: PasskeyAlgorithm
}

/** Statistics of the credentials of all users of an installation. */
export interface CredentialCounts {
  /** The number of users by number of passkeys. */
  readonly passkeysPerUser: readonly { readonly passkeys: number; readonly users: number }[]
  /** The number of users who have a passkey of this form. */
  readonly passkeyForms: readonly (PasskeyForm & { readonly users: number })[]
  /** The number of users who have an active device with this algorithm. */
  readonly deviceAlgorithms: readonly { readonly algorithm: KeyAlgorithm; readonly users: number }[]
}

/** The statistics that decoys imitate until the next profile. A profile never changes. */
export interface DecoyProfile {
  /** Counts up from 1. */
  readonly number: number
  readonly takenAt: Instant
  readonly counts: CredentialCounts
}

/**
 * Decoys imitate only the forms of passkeys that at least this many users have. A decoy in the form of a single user would reveal
 * that user's kind of passkey. And an attacker could register a passkey of a unique form, and recognise decoys by it.
 */
export const LEAST_USERS_OF_FORM = 3

/** The time between two profiles. Decoys change from one profile to the next over the same time. */
export const PROFILE_PERIOD = days(7)

const none: CredentialCounts = { passkeysPerUser: [], passkeyForms: [], deviceAlgorithms: [] }

/**
 * Returns the statistics that the decoys of one email or fingerprint follow now. Each subject changes to a new profile at its
 * own time, `phase` of a period after the new profile was taken. If all decoys changed at the same moment, an observer could
 * tell decoys from users.
 *
 * @param profiles The two newest profiles, newest first.
 * @param phase A number from 0 to 1 that is constant for one email or fingerprint.
 */
export const countsInForce = (profiles: readonly DecoyProfile[], phase: number, now: Instant): CredentialCounts => {
  const [newest, before] = profiles
  if (newest === undefined) return none
  return (now >= newest.takenAt + phase * PROFILE_PERIOD ? newest : before)?.counts ?? none
}
