import type { DeviceRegistrar, UserVerificationRequirement } from '@countersign/contract'
import type { Instant } from '../../shared/clock.ts'
import type { SealedField } from '../../shared/crypto/field-encryption.ts'
import type { Device } from './device.ts'

/** The data of a challenge, by purpose. A challenge of one purpose is never accepted for another purpose. */
export interface ChallengeSubjects {
  device_registration: Pick<Device, 'deviceName' | 'deviceType' | 'deviceFingerprint' | 'publicKey' | 'keyAlgorithm'> & {
    readonly deviceId: string
    /** The page that registers the device, if it says so. */
    readonly registeredWith?: DeviceRegistrar
    /** The nonce of the challenge, encrypted (`registrationNonce`). */
    readonly nonce: SealedField
    /** The hash of the enrolment code, if the user gave one. */
    readonly enrolmentCodeHash?: string
  }
  device_login: { readonly deviceFingerprint: string }
  /** Stored with the challenge, so that the request that completes the ceremony cannot weaken these requirements. */
  passkey_registration: {
    readonly userHandle: string
    readonly userVerification: UserVerificationRequirement
    /** The hash of the enrolment code, if the user gave one. */
    readonly enrolmentCodeHash?: string
  }
  passkey_login: {
    /** A user id; `anyone` for a login without an email; `nobody` for an email that cannot log in. */
    readonly mayAnswer: number | 'anyone' | 'nobody'
    /** The listed credential ids with RS256 keys, decoys included. A refusal takes as long as a check with that kind of key. */
    readonly rs256: readonly string[]
    readonly userVerification: UserVerificationRequirement
  }
}

export type ChallengePurpose = keyof ChallengeSubjects

/** A single-use challenge that a client signs. */
export interface Challenge<P extends ChallengePurpose = ChallengePurpose> {
  readonly id: string
  readonly purpose: P
  /** The user who requested the challenge; `null` if no user is signed in yet. */
  readonly userId: number | null
  /** The text that clients sign: 64 bytes as padded base64, random, or of a device a commitment to its purpose (`commitTo`). */
  readonly challenge: string
  readonly subject: ChallengeSubjects[P]
  readonly createdAt: Instant
  readonly expiresAt: Instant
}

/** Single-use challenges. The store keeps a challenge of a user until one day after its expiry, used or not. */
export interface ChallengeStore {
  issue(challenge: Challenge): Promise<void>
  /**
   * Consumes an unexpired challenge. One atomic statement: exactly one of any number of concurrent callers receives it, and nobody
   * receives it again.
   */
  consume<P extends ChallengePurpose>(
    id: string,
    purpose: P,
    userId: number | null,
    now: Instant,
  ): Promise<Challenge<P> | undefined>
  /** Returns whether this challenge was issued to this user: pending, used or expired for at most a day. */
  wasIssued(id: string, purpose: ChallengePurpose, userId: number): Promise<boolean>
}
