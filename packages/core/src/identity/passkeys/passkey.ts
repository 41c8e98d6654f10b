import type { PasskeyAlgorithm } from '@countersign/contract'
import type { Instant } from '../../shared/clock.ts'
import type { Challenge } from '../challenges/challenge.ts'
import type { Trust } from '../trust/trust.ts'

/** The COSE numbers of passkey algorithms (IANA "COSE Algorithms"). */
export const coseAlgorithms = { ES256: -7, RS256: -257 } as const satisfies Record<string, PasskeyAlgorithm>

/** A passkey: a credential record (WebAuthn Level 3 §4). Bytes are base64url without padding. */
export interface Passkey extends Trust {
  /** The credential id, unique among the passkeys of the user. */
  readonly id: string
  readonly userId: number
  /** The user handle for authenticators: 64 random bytes, the same for all passkeys of a user. */
  readonly userHandle: string
  /** The public key as a COSE_Key (RFC 9052 §7), checked at registration. */
  readonly publicKey: string
  readonly algorithm: PasskeyAlgorithm
  /** The signature counter of the authenticator. Some authenticators always report 0. */
  readonly signCount: number
  /** The transports that the browser reported. */
  readonly transports: readonly string[]
  /** True if the passkey may exist on several devices. Never changes. */
  readonly backupEligible: boolean
  /** True if the passkey was backed up at its last use. */
  readonly backedUp: boolean
  /** The model of the authenticator, as a UUID; zeros if the authenticator does not report a model. */
  readonly aaguid: string
  /** True for a discoverable passkey; `null` if the browser did not report. */
  readonly discoverable: boolean | null
  readonly name: string
  readonly createdAt: Instant
  readonly lastUsedAt: Instant | null
}

/** Returns the initial name of a passkey. */
export const defaultName = (createdAt: Instant): string => `Passkey ${new Date(createdAt).toISOString().slice(0, 10)}`

/**
 * Returns why the passkey must not answer the ceremony: another user handle, or a ceremony that did not offer the passkey
 * (WebAuthn Level 3 §7.2, steps 5 and 6). Without an email, the user handle is required.
 */
export const answerRefusal = (
  { subject, createdAt }: Pick<Challenge<'passkey_login'>, 'subject' | 'createdAt'>,
  passkey: Pick<Passkey, 'userId' | 'userHandle' | 'createdAt'>,
  userHandle: string | undefined,
): 'user_handle' | 'not_offered' | undefined => {
  if (userHandle !== undefined && userHandle !== passkey.userHandle) return 'user_handle'
  if (subject.mayAnswer === 'anyone') return userHandle === undefined ? 'user_handle' : undefined
  return passkey.userId === subject.mayAnswer && passkey.createdAt <= createdAt ? undefined : 'not_offered'
}
