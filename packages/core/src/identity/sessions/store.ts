import type { Instant } from '../../shared/clock.ts'
import type { Session, SessionEnd, SessionStatus } from './session.ts'

/** A refresh token is spent, and another one takes its place. */
export interface Rotation {
  readonly sessionId: string
  /** The refresh token presented. */
  readonly fromTokenId: string
  /** The one to take its place. */
  readonly toTokenId: string
  /** When the new one expires. */
  readonly expiresAt: Instant
  readonly now: Instant
}

/**
 * Sessions. What every request asks, and what decides which of several renewals at once wins, is decided here; each method says
 * what it promises then.
 */
export interface SessionStore {
  open(session: Session): Promise<void>
  byId(id: string): Promise<Session | undefined>
  /**
   * Returns the status of a session that has not ended and whose user is not disabled; `undefined` otherwise. Every
   * authenticated request calls this method, so an adapter may cache. A session that this process ended is refused
   * immediately. A session that another process on the same database ended is refused within one second.
   */
  status(id: string): Promise<SessionStatus | undefined>
  /**
   * Makes `toTokenId` the session's one good refresh token where `fromTokenId` still is it, the session is not
   * ended and the token not expired. One atomic statement: of any number at once, exactly one gets `true`.
   */
  rotate(rotation: Rotation): Promise<boolean>
  /** Ends a session; `false` where it was not live. */
  end(id: string, reason: SessionEnd, now: Instant): Promise<boolean>
  /** Ends every live session of a user; tells how many. */
  endAllOfUser(userId: number, reason: SessionEnd, now: Instant): Promise<number>
  /** Ends every live session of a device; tells how many. */
  endAllOfDevice(deviceId: string, reason: SessionEnd, now: Instant): Promise<number>
  /** Ends every live session that this user's passkey opened; tells how many. */
  endAllOfPasskey(userId: number, passkeyId: string, reason: SessionEnd, now: Instant): Promise<number>
  /** The live, unexpired sessions of a user, newest first. */
  liveOfUser(userId: number, now: Instant): Promise<readonly Session[]>
}
