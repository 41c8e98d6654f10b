import type { Instant } from '../../shared/clock.ts'
import type { BoundToTenants } from './bound.ts'
import type { TrustedKey } from './passkey.ts'
import type { Session } from './session.ts'
import type { Trust } from './trust.ts'

/** The session that registers a device or passkey, with the trust of the device or passkey that opened the session. */
export type RegisteringSession = Pick<Session, 'authMethod' | 'userVerified' | 'createdAt' | 'host'> & Trust & BoundToTenants

/**
 * The mark of an account whose password was set by a code that only a mailbox vouched for. It ends when a device or passkey
 * becomes trusted other than by waiting, or when a code of an administrator sets the password.
 */
export interface MailboxMark {
  /** The last time at which such a code was used. */
  readonly since: Instant
  /** True if the user had a trusted device or passkey then, or shortly before (see `IdentityOptions.trustedDeviceMemory`). */
  readonly hadSigner: boolean
}

/**
 * The facts that decide when a new device or passkey of a user is trusted. A bound device or passkey counts only for a session
 * with its bound, any other one for every session.
 */
export interface EnrolmentFacts {
  readonly session: RegisteringSession
  /** True if the user has a trusted device, or had one lately (see `IdentityOptions.trustedDeviceMemory`). */
  readonly hasTrustedDevice: boolean
  /** The same for passkeys. */
  readonly hasTrustedPasskey: boolean
  readonly hasPassword: boolean
  /** True if another device or passkey of the user is in its cooling-off period. */
  readonly hasCoolingOff: boolean
  /** `null` for an account without the mark. */
  readonly mailboxMark: MailboxMark | null
}

/** The query for the facts of an enrolment. */
export interface EnrolmentQuestion {
  readonly userId: number
  /** The session that registers the device or passkey. */
  readonly sessionId: string
  /** A trusted device or passkey that was removed at this time or later still counts as a trusted one of the user. */
  readonly rememberedSince: Instant
  readonly now: Instant
}

/** The devices and passkeys to remove, if not all: the work of sessions that somebody else ended (`endsThatKeepWork`). */
export type Registrations = 'of_ended_sessions'

/** The ids of removed devices and passkeys. */
export interface RemovedOnProbation {
  readonly devices: readonly string[]
  readonly passkeys: readonly string[]
}

/** Names a device, or a passkey by its credential id. */
export interface SignerKey {
  readonly userId: number
  readonly kind: 'device' | 'passkey'
  readonly id: string
}

/** The member by which sessions and statements name a device or passkey. */
export const signerIdOf = ({
  kind,
  id,
}: Pick<SignerKey, 'kind' | 'id'>): { readonly deviceId: string } | { readonly passkeyId: string } =>
  kind === 'device' ? { deviceId: id } : { passkeyId: id }

/** The question which keys of users approve. */
export interface TrustedKeysQuery {
  readonly userIds: readonly number[]
  readonly now: Instant
  /** The tenant of the approval; `null` for none. */
  readonly tenant: string | null
  /** True if passkeys approve too. */
  readonly passkeys: boolean
  /** True if devices that the approver registered approve by their keys alone. */
  readonly approverDevices: boolean
}

/** The trust and the keys of devices and passkeys. `SessionStore.status` sees a change of trust as soon as the end of a session. */
export interface TrustStore {
  /**
   * Returns the facts that decide about a new device or passkey; `undefined` if the session is not live or of another user. In a
   * transaction, the row of the user stays locked until the end, so that nothing comes between the decision and the registration.
   */
  enrolmentFacts(question: EnrolmentQuestion): Promise<EnrolmentFacts | undefined>
  /** Locks the row of the user until the end of the transaction. Every registration and change of trust of the user waits. */
  lock(userId: number): Promise<void>
  /**
   * Makes an active device or a passkey trusted from `now`, and cancels the cooling-off periods and the mailbox mark of the user;
   * if it stays bound, only the periods with its bound. With `ends`, it and its sessions are bound no longer. Returns `false` if
   * nothing changes. Of concurrent calls, exactly one returns `true`.
   */
  makeTrusted(signer: SignerKey, now: Instant, bound?: 'ends'): Promise<boolean>
  /**
   * Returns the public keys with which users can approve in the tenant: of active devices and, with `passkeys`, of passkeys that
   * are trusted at `now`. In any order. At most 100 users.
   */
  trustedKeysOf(query: TrustedKeysQuery): Promise<readonly TrustedKey[]>
  /** Removes what is on probation at `now`, with its push tokens, and returns the ids. Their sessions go on. */
  removeOnProbation(userId: number, now: Instant, registrations?: Registrations): Promise<RemovedOnProbation>
  /**
   * Marks the account (see `MailboxMark`). `hadSigner` stays true if an earlier mark says so. Devices and passkeys with any bound
   * count, also those that were removed at `rememberedSince` or later.
   */
  markMailbox(question: Omit<EnrolmentQuestion, 'sessionId'>): Promise<void>
  /** Returns the mailbox mark of a user; `null` without one. */
  mailboxMarkOf(userId: number): Promise<MailboxMark | null>
  /** Ends the mailbox mark of a user. */
  endMailboxMark(userId: number): Promise<void>
  /** Returns the given public keys that a device or passkey of the user has or had, each once. */
  keysHeld(userId: number, among: readonly string[]): Promise<readonly string[]>
}
