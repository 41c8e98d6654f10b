import type { PasskeyAlgorithm } from '@countersign/contract'
import type { Instant } from '../../shared/clock.ts'
import type { SealedField } from '../../shared/crypto/field-encryption.ts'
import type { Bound, BoundToTenants } from './bound.ts'
import type { Challenge } from './challenge.ts'
import type { StoredPushToken } from './device.ts'
import type { Trust } from './trust.ts'

/** The COSE numbers of passkey algorithms (IANA "COSE Algorithms"). */
export const coseAlgorithms = { ES256: -7, RS256: -257 } as const satisfies Record<string, PasskeyAlgorithm>

/** A passkey: a credential record (WebAuthn Level 3 §4). Bytes are base64url without padding. */
export interface Passkey extends Trust, BoundToTenants {
  /** The credential id, unique among the passkeys of the user. */
  readonly id: string
  readonly userId: number
  /** The user handle for authenticators: 64 random bytes, the same for all passkeys of a user with one bound. */
  readonly userHandle: string
  /** The public key as a COSE_Key (RFC 9052 §7), checked at registration. */
  readonly publicKey: string
  /** The same key as SPKI in PEM, the form of the keys of devices, so that the two can be compared. */
  readonly spki: string
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

/** The members of a passkey that a check of its signature needs. */
export type AnsweringPasskey = Pick<
  Passkey,
  'id' | 'userId' | 'userHandle' | 'publicKey' | 'algorithm' | 'signCount' | 'backupEligible' | 'createdAt' | 'tenants'
>

/** Returns the initial name of a passkey. */
export const defaultName = (createdAt: Instant): string => `Passkey ${new Date(createdAt).toISOString().slice(0, 10)}`

/**
 * Returns why the passkey must not answer the ceremony: another user handle, or a ceremony that did not offer it (WebAuthn Level 3
 * §7.2, steps 5 and 6). Without an email, the user handle is required.
 */
export const answerRefusal = (
  { subject, createdAt }: Challenge<'passkey_login'>,
  passkey: AnsweringPasskey,
  userHandle: string | undefined,
): 'user_handle' | 'not_offered' | undefined => {
  if (userHandle !== undefined && userHandle !== passkey.userHandle) return 'user_handle'
  if (subject.mayAnswer === 'anyone') return userHandle === undefined ? 'user_handle' : undefined
  return passkey.userId === subject.mayAnswer && passkey.createdAt <= createdAt ? undefined : 'not_offered'
}

/** The public key of a trusted device or passkey: SPKI in PEM. */
export interface TrustedKey {
  readonly userId: number
  readonly publicKey: string
}

/** The key of a removed passkey, kept so that it never counts as the key of another user. */
export interface RemovedPasskey extends Pick<Passkey, 'spki'> {
  readonly removedAt: Instant
}

/** The push token of a passkey. `id` names the token; a new token has a new id. */
export interface PasskeyPushToken extends Pick<Passkey, 'userId' | 'trustedAt' | 'tenants' | 'name'> {
  readonly id: string
  readonly passkeyId: string
  /** The push token, encrypted (`sealPushToken`). */
  readonly pushToken: SealedField
}

/** A use of a passkey, as the authenticator reports it. */
export interface PasskeyUse extends Pick<Passkey, 'userId' | 'id' | 'signCount' | 'backedUp'> {
  readonly now: Instant
}

/** The passkeys, and the user handle of each user. */
export interface PasskeyStore {
  /**
   * Returns the user handle of a user for passkeys with a bound, which never changes. Stores `fresh` if there is none, so that all
   * concurrent callers get the same one. An authenticator keeps one passkey for each handle, so customers must not share one.
   */
  userHandle(userId: number, fresh: string, tenants?: Bound): Promise<string>
  /**
   * Adds a passkey in a live session of its user, as `DeviceStore.register` adds a device. A unique index on user and credential
   * id decides between concurrent registrations; a passkey of another user with the same id does not matter.
   */
  register(passkey: Passkey, sessionId: string, limit: number): Promise<'registered' | 'known' | 'too_many' | 'session_ended'>
  /** Returns the passkeys of all users with this credential id, oldest first, at most 100. */
  withId(id: string): Promise<readonly Passkey[]>
  /** Returns the passkeys of a user, oldest first. */
  allOfUser(userId: number): Promise<readonly Passkey[]>
  /** Returns the keys of the removed passkeys of a user, first removed first. A key that was removed twice is returned once. */
  removedOfUser(userId: number): Promise<readonly RemovedPasskey[]>
  /** Returns the passkey, and locks its row until the end of the transaction; `undefined` if the user has no such passkey. */
  lock(userId: number, id: string): Promise<Passkey | undefined>
  /**
   * Records a use if the passkey's counter rises, or has always been 0 (WebAuthn Level 3 §6.1.1); otherwise `false`. One atomic
   * statement: of concurrent calls with one counter, exactly one returns `true`. In a transaction, the row stays locked until the
   * end.
   */
  use(use: PasskeyUse): Promise<boolean>
  /** Renames the passkey and returns it; `undefined` if the user has no such passkey. */
  rename(userId: number, id: string, name: string): Promise<Passkey | undefined>
  /** Returns the push tokens of the passkeys of a user, oldest first. */
  pushTokensOf(userId: number): Promise<readonly PasskeyPushToken[]>
  /** Replaces the push token of a passkey by a token with another id; `null` removes it. The row of the passkey must be locked. */
  setPushToken(userId: number, passkeyId: string, pushToken: (StoredPushToken & { readonly id: string }) | null): Promise<void>
  /**
   * Takes the push token with this digest away from every passkey but `keeper`. Returns the tokens as they were. Call this method
   * after `DeviceStore.takePushToken`, which lets other callers with the same digest wait.
   */
  takePushToken(digest: string, keeper?: Pick<PasskeyPushToken, 'userId' | 'passkeyId'>): Promise<readonly PasskeyPushToken[]>
  /** Removes a push token by its id; `false` if the passkey has another one or none. */
  forgetPushToken(id: string): Promise<boolean>
  /** Deletes the passkey with its push token, and keeps its key; `false` if it is missing. */
  remove(userId: number, id: string, now: Instant): Promise<boolean>
}
