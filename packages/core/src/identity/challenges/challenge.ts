import type { DeviceType, KeyAlgorithm, UserVerificationRequirement } from '@countersign/contract'
import type { Instant } from '../../shared/clock.ts'

/** What a challenge is about, by what it may be used for. A challenge of one purpose is never accepted for another. */
export interface ChallengeSubjects {
  device_registration: {
    readonly deviceId: string
    readonly deviceName: string
    readonly deviceType: DeviceType
    readonly deviceFingerprint: string
    readonly publicKey: string
    readonly keyAlgorithm: KeyAlgorithm
  }
  device_login: { readonly deviceFingerprint: string }
  /** Kept here, so that nothing that comes with the answer can weaken what the ceremony asked for. */
  passkey_registration: {
    readonly userHandle: string
    readonly userVerification: UserVerificationRequirement
  }
  passkey_login: {
    /**
     * Whose passkey may answer: that of the user with this id; that of `anyone`, found without an email; or that of
     * `nobody`, where nobody can log in under the email that was given.
     */
    readonly mayAnswer: number | 'anyone' | 'nobody'
    /** The listed credential ids of RS256 keys, decoys included: refusing one takes as long as that key would. */
    readonly rs256: readonly string[]
    readonly userVerification: UserVerificationRequirement
  }
}

/** What a challenge was issued for. One of another purpose is as good as none. */
export type ChallengePurpose = keyof ChallengeSubjects

/** A single-use challenge, waiting to be signed. */
export interface Challenge<P extends ChallengePurpose = ChallengePurpose> {
  readonly id: string
  readonly purpose: P
  /** Whose it is; `null` where nobody is signed in yet. */
  readonly userId: number | null
  /** 64 random bytes as padded base64: the text that is signed. */
  readonly challenge: string
  readonly subject: ChallengeSubjects[P]
  readonly createdAt: Instant
  readonly expiresAt: Instant
}
