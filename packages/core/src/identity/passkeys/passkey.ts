import type { PasskeyAlgorithm } from '@countersign/contract'
import type { Instant } from '../../shared/clock.ts'
import type { Challenge } from '../challenges/challenge.ts'

/** The algorithms of passkeys as COSE numbers them (IANA "COSE Algorithms"). */
export const coseAlgorithms = { ES256: -7, RS256: -257 } as const satisfies Record<string, PasskeyAlgorithm>

/** A credential record (WebAuthn Level 3 §4). Bytes are base64url without padding. */
export interface Passkey {
  /** The credential id: unique among the user's passkeys. */
  readonly id: string
  readonly userId: number
  /** What the authenticator knows the user by: 64 random bytes, the same for all passkeys of a user. */
  readonly userHandle: string
  /** A COSE_Key (RFC 9052 §7), as checked when it was registered. */
  readonly publicKey: string
  readonly algorithm: PasskeyAlgorithm
  /** How often the authenticator says it has signed; some always say 0. */
  readonly signCount: number
  /** How browsers can reach the authenticator, as they said. */
  readonly transports: readonly string[]
  /** Whether the passkey may exist on several devices; never changes. */
  readonly backupEligible: boolean
  /** Whether it did, when it was last used. */
  readonly backedUp: boolean
  /** The model of the authenticator, where it tells; else zeros. A UUID. */
  readonly aaguid: string
  /** Whether it is found without an email, where the browser told. */
  readonly discoverable: boolean | null
  readonly name: string
  readonly createdAt: Instant
  readonly lastUsedAt: Instant | null
}

/** The name of a passkey until its user gives it another. */
export const defaultName = (createdAt: Instant): string => `Passkey ${new Date(createdAt).toISOString().slice(0, 10)}`

/**
 * Whether this passkey may answer the ceremony: one that was offered by it, and of the user whom the authenticator names
 * (WebAuthn Level 3 §7.2, steps 5 and 6). Without an email, the authenticator must name the user.
 */
export const mayAnswer = (
  { subject, createdAt }: Pick<Challenge<'passkey_login'>, 'subject' | 'createdAt'>,
  passkey: Pick<Passkey, 'userId' | 'userHandle' | 'createdAt'>,
  userHandle: string | undefined,
): boolean => {
  if (userHandle !== undefined && userHandle !== passkey.userHandle) return false
  if (subject.mayAnswer === 'anyone') return userHandle !== undefined
  return passkey.userId === subject.mayAnswer && passkey.createdAt <= createdAt
}
