import type { KeyAlgorithm, PasskeyAlgorithm } from '@countersign/contract'
import { days, type Instant } from '../../shared/clock.ts'

/** The looks of a passkey in a login's options, and the algorithm of its key. */
export interface PasskeyForm {
  readonly idBytes: number
  readonly transports: readonly string[]
  readonly algorithm: PasskeyAlgorithm
}

/** The credentials of an installation's users, counted. */
export interface CredentialCounts {
  /** How many users have exactly so many passkeys. */
  readonly passkeysPerUser: readonly { readonly passkeys: number; readonly users: number }[]
  /** How many users have a passkey of the form. */
  readonly passkeyForms: readonly (PasskeyForm & { readonly users: number })[]
  /** How many users have an active device that signs by the algorithm. */
  readonly deviceAlgorithms: readonly { readonly algorithm: KeyAlgorithm; readonly users: number }[]
}

/** The counts that decoys follow until the next profile is taken. A profile never changes. */
export interface DecoyProfile {
  /** Counts up from 1. */
  readonly number: number
  readonly takenAt: Instant
  readonly counts: CredentialCounts
}

/**
 * A form counts only where so many users have it. One account with a form of its own could otherwise mark the decoys that
 * copy it, and a decoy would show the form of a single user.
 */
export const LEAST_USERS_OF_FORM = 3

/** The time between two profiles, and the time over which decoys pass from one to the next. */
export const PROFILE_PERIOD = days(7)

const none: CredentialCounts = { passkeysPerUser: [], passkeyForms: [], deviceAlgorithms: [] }

/**
 * The counts that decoys of one email or fingerprint follow now. Each passes to a new profile at its own time, `phase` of a
 * period after the profile was taken: decoys that all changed in one moment would stand out from users who do not.
 *
 * @param profiles The newest and the one before, newest first.
 * @param phase From 0 to 1, always the same for one email or fingerprint.
 */
export const countsInForce = (profiles: readonly DecoyProfile[], phase: number, now: Instant): CredentialCounts => {
  const [newest, before] = profiles
  if (newest === undefined) return none
  return (now >= newest.takenAt + phase * PROFILE_PERIOD ? newest : before)?.counts ?? none
}
