import type { DeviceType, KeyAlgorithm } from '@countersign/contract'
import type { Instant } from '../ports/clock.ts'

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
}

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
