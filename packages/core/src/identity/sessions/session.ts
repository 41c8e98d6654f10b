import type { AuthMethod } from '@countersign/contract'
import type { Instant } from '../../shared/clock.ts'
import type { User } from '../users/user.ts'

/** `standard`: opened by password or passkey. `biometric`: opened by a device's signature. */
export type SessionKind = 'standard' | 'biometric'

/** Why a session ended. */
export type SessionEnd =
  | 'logout'
  | 'token_reuse'
  | 'password_changed'
  | 'user_disabled'
  | 'device_removed'
  | 'passkey_removed'
  | 'revoked'

/**
 * What a login opened, and every token of it names. Access tokens are good only while it has not ended, and of its refresh
 * tokens one at a time (RFC 9700 §4.14.2). Times are milliseconds since 1970.
 */
export interface Session {
  readonly id: string
  readonly userId: number
  readonly kind: SessionKind
  readonly authMethod: AuthMethod
  /** The device that logged in, for a biometric session. */
  readonly deviceId: string | null
  /** The passkey that logged in, where one did. */
  readonly passkeyId: string | null
  readonly rememberMe: boolean
  readonly createdAt: Instant
  readonly lastUsedAt: Instant
  /** Identity (`jti`) of the one refresh token that is good now. */
  readonly refreshTokenId: string
  /** Identity of the refresh token spent last. */
  readonly previousRefreshTokenId: string | null
  /** When the current refresh token was issued. */
  readonly rotatedAt: Instant
  readonly refreshExpiresAt: Instant
  readonly endedAt: Instant | null
  readonly endReason: SessionEnd | null
}

/** The current user and permissions of a live session, with the fields of the session that never change. */
export interface SessionStatus
  extends Pick<User, 'directoryId' | 'email' | 'employee' | 'department' | 'permissions'>,
    Pick<Session, 'userId' | 'kind' | 'authMethod' | 'deviceId' | 'rememberMe' | 'createdAt'> {}
