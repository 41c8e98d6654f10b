import type { AuthMethod } from '@countersign/contract'
import type { Instant } from '../../shared/clock.ts'
import type { SealedField } from '../../shared/crypto/field-encryption.ts'
import type { Trust } from '../trust/trust.ts'
import type { User } from '../users/user.ts'

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
 * The reasons after which a session's work goes on: its own logout, and the reuse of its refresh token. Every other session was
 * ended by somebody else, so what it registered on probation is removed, and what it asked for is rejected.
 */
export const endsThatKeepWork = ['logout', 'token_reuse', 'too_many'] as const satisfies readonly SessionEnd[]

/**
 * A session, opened by a login. Every token names its session. Access tokens are valid until the session ends. One refresh
 * token is valid at a time (RFC 9700 §4.14.2). Times are milliseconds since 1970.
 */
export interface Session {
  readonly id: string
  readonly userId: number
  readonly kind: SessionKind
  readonly authMethod: AuthMethod
  /** The device that logged in; `null` for a standard session. */
  readonly deviceId: string | null
  /** The passkey that logged in; `null` for other logins. */
  readonly passkeyId: string | null
  /** True if the passkey that logged in verified the user (WebAuthn Level 3 §6.1); `false` for other logins. */
  readonly userVerified: boolean
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
 * The current user and permissions of a live session, with the fields of the session that never change. `trustedAt` is the
 * current one of the device or passkey that opened the session; `null` for a session opened by password.
 */
export interface SessionStatus
  extends Pick<User, 'directoryId' | 'email' | 'employee' | 'department' | 'permissions'>,
    Pick<Session, 'userId' | 'kind' | 'authMethod' | 'deviceId' | 'rememberMe' | 'createdAt'>,
    Trust {}
