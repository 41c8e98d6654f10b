import type { AuthMethod } from '@countersign/contract'
import type { Instant, Milliseconds } from '../../shared/clock.ts'
import type { SealedField } from '../../shared/crypto/field-encryption.ts'
import type { PageQuery } from '../../shared/list-page.ts'
import type { Bound, BoundToTenants } from './bound.ts'
import type { Trust } from './trust.ts'
import type { User } from './user.ts'

/** The kind of a session. `standard`: opened by password or passkey. `biometric`: opened by a device signature. */
export type SessionKind = 'standard' | 'biometric'

/** The reason for the end of a session. */
export type SessionEnd =
  | 'logout'
  | 'token_reuse'
  | 'password_changed'
  | 'account_locked'
  | 'user_disabled'
  | 'user_deleted'
  | 'device_removed'
  | 'passkey_removed'
  | 'revoked'
  | 'not_me'
  | 'too_many'

/**
 * The ends after which the work of a session stays. Any other session was ended by somebody else, so its devices and passkeys on
 * probation are removed, and its requests are rejected.
 */
export const endsThatKeepWork = ['logout', 'token_reuse', 'too_many'] as const satisfies readonly SessionEnd[]

/** The sign-in at the host, for a session that the host opened. */
export interface HostSignIn {
  /** The name that the host gives the way to sign in, such as `oidc`. */
  readonly method: string
  /** The time at which the host has signed the user in. */
  readonly signedInAt: Instant
  /** The service that opened the session by its service token, in lower case; `null` if the host opened it in its process. */
  readonly openedBy: string | null
}

/** A session, which every token names. One refresh token is valid at a time (RFC 9700 §4.14.2). */
export interface Session extends BoundToTenants {
  readonly id: string
  readonly userId: number
  readonly kind: SessionKind
  readonly authMethod: AuthMethod
  /** The device that logged in; `null` for a standard session. */
  readonly deviceId: string | null
  /** The passkey that logged in; `null` for other logins. */
  readonly passkeyId: string | null
  /** True if the passkey that logged in verified the user (WebAuthn Level 3 §6.1), or if the host says that it did. */
  readonly userVerified: boolean
  /** `null` unless the host opened the session. */
  readonly host: HostSignIn | null
  readonly rememberMe: boolean
  /** The client that opened the session; encrypted (`sealOpenedFrom`). `null` if the host reported no client. */
  readonly openedFrom: SealedField | null
  readonly createdAt: Instant
  readonly lastUsedAt: Instant
  /** The id (`jti`) of the valid refresh token. */
  readonly refreshTokenId: string
  /** The id of the last spent refresh token. */
  readonly previousRefreshTokenId: string | null
  /** The hash of the client's key for the last rotation (`renewalKeyHash`); `null` if the client sent none. */
  readonly renewalKeyHash: string | null
  /** The time at which the current refresh token was issued. */
  readonly rotatedAt: Instant
  readonly refreshExpiresAt: Instant
  readonly endedAt: Instant | null
  readonly endReason: SessionEnd | null
}

/**
 * The current user and permissions of a live session, with what never changes of the session. `trustedAt` is the current one of
 * the device or passkey that opened the session; `null` for a session opened by password.
 */
export interface SessionStatus
  extends Pick<User, 'directoryId' | 'email' | 'employee' | 'department' | 'permissions'>,
    Pick<Session, 'userId' | 'kind' | 'authMethod' | 'deviceId' | 'passkeyId' | 'userVerified' | 'rememberMe' | 'createdAt'>,
    Trust,
    BoundToTenants {}

/** The replacement of a refresh token by its successor. */
export interface Rotation {
  readonly sessionId: string
  /** The id of the presented refresh token. */
  readonly fromTokenId: string
  /** The id of the new refresh token. */
  readonly toTokenId: string
  /** The hash of the client's key for this rotation; `null` without a key. */
  readonly keyHash: string | null
  /** The expiry of the new refresh token. */
  readonly expiresAt: Instant
  readonly now: Instant
}

/** The query whether a rotation may be answered again. */
export interface RepeatedRotation extends Pick<Rotation, 'sessionId' | 'fromTokenId' | 'now'> {
  /** The rotations that may be answered again: with this hash, at most `within` before or after `now`, because clocks differ. */
  readonly admitted: readonly { readonly keyHash: string | null; readonly within: Milliseconds }[]
}

/** The query for a page of the sessions of all users. */
export interface SessionPageQuery extends PageQuery {
  /** True if the ended sessions are listed instead of the live, unexpired ones. */
  readonly ended: boolean
  /** Only sessions that this service opened; the name in lower case. */
  readonly openedBy?: string | undefined
  /** Only sessions that are bound to these tenants; `null` or absent for all sessions. */
  readonly tenants?: Bound | undefined
  readonly now: Instant
}

/** Selects sessions of a user to end; all by default. */
export interface EndedSessions {
  readonly userId: number
  /** Only the sessions of this device. */
  readonly deviceId?: string
  /** Only the sessions that this passkey opened. */
  readonly passkeyId?: string
  /** Only the sessions that this service opened. */
  readonly openedBy?: string
  /** Only the sessions that are bound to these tenants; `null` for all. */
  readonly tenants?: Bound
  /** The id of a session that stays. */
  readonly except?: string
}

/** The sessions. Each method documents its guarantees under concurrency. */
export interface SessionStore {
  /**
   * Stores a session. If the user then has more than `limit` live, unexpired sessions with its bound, the least recently used
   * others end as `too_many`, in the same transaction, also if several open at the same time.
   *
   * Sessions of trusted devices and passkeys, and the others, are two kinds. If a trusted one opens, a session of the more
   * numerous kind ends; any other one ends only its own kind, because the trusted kind gets at most `limit - 1` places. So a
   * person who has only the password never ends the session of a trusted device, unless the trusted kind has more places, because
   * the limit was lowered or a device became trusted: then the excess ends.
   */
  open(session: Session, limit?: number): Promise<void>
  byId(id: string): Promise<Session | undefined>
  /**
   * Returns the status of a live session whose user is neither disabled nor locked. Every authenticated request asks, so an
   * adapter may cache: a session that this process ended is refused immediately, and one that another process ended within one
   * second.
   */
  status(id: string): Promise<SessionStatus | undefined>
  /**
   * Replaces the current, unexpired refresh token of a live session. One atomic statement: of any number of concurrent calls,
   * exactly one returns `true`.
   */
  rotate(rotation: Rotation): Promise<boolean>
  /** Returns the live session whose last rotation spent `fromTokenId`, if it may be repeated and its successor is unspent. */
  rotatedBefore(repeated: RepeatedRotation): Promise<Session | undefined>
  /**
   * Returns whether the session is live and of this user, who may log in. In a transaction, both rows stay locked until the end.
   */
  hold(id: string, userId: number): Promise<boolean>
  /** Ends a session; `false` if the session was not live. */
  end(id: string, reason: SessionEnd, now: Instant): Promise<boolean>
  /** Ends a session as `not_me`, also one that ended with its work kept; `false` if it is unknown, or somebody else ended it. */
  disown(id: string, now: Instant): Promise<boolean>
  /** Ends the live sessions of a user that meet the query. Returns their number. */
  endAll(ended: EndedSessions, reason: SessionEnd, now: Instant): Promise<number>
  /** Returns the users and the bounds of the live, bound sessions that a service opened, each pair once, by ascending user id. */
  boundOpenedBy(service: string): Promise<readonly Pick<Session, 'userId' | 'tenants'>[]>
  /** Returns the sessions of a user, newest first: those that are live and unexpired at `liveAt`; all by default. */
  ofUser(userId: number, liveAt?: Instant): Promise<readonly Session[]>
  /** Returns a page of the sessions of all users, newest first. For administrators only. */
  page(query: SessionPageQuery): Promise<readonly Session[]>
}
