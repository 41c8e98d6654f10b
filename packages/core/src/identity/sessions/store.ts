import type { Instant } from '../../shared/clock.ts'
import type { PageQuery } from '../../shared/list-page.ts'
import type { Session, SessionEnd, SessionStatus } from './session.ts'

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

/** The question whether a rotation may be answered again. */
export interface RepeatedRotation extends Pick<Rotation, 'sessionId' | 'fromTokenId' | 'now'> {
  /**
   * The rotations that may: those with this hash (`null`: those without a key), at most `within` milliseconds before or after
   * `now`. The clocks of two servers differ, so the rotation may lie ahead.
   */
  readonly admitted: readonly { readonly keyHash: string | null; readonly within: number }[]
}

/** The question for a page of the sessions of all users. */
export interface SessionPageQuery extends PageQuery {
  /** Whether the ended sessions are listed instead of the live, unexpired ones. */
  readonly ended: boolean
  readonly now: Instant
}

/** The sessions. Each method documents its guarantees under concurrency. */
export interface SessionStore {
  /**
   * Stores a session. If the user then has more than `limit` live, unexpired sessions, the least recently used ones end as
   * `too_many`, in the same transaction. The new session stays. Of sessions that open at the same time, none counts past the limit.
   *
   * A session whose device or passkey is trusted ends one of the more numerous kind: of those sessions, or of the others. The
   * trusted kind gets at most `limit - 1` places, so every other session finds a place, and ends only sessions of its own kind.
   * Whoever has just the password therefore never ends the session of a trusted device. One exception keeps the limit: if the
   * trusted kind has more places, because a device with many sessions became trusted or the limit was lowered, the excess ends.
   */
  open(session: Session, limit?: number): Promise<void>
  byId(id: string): Promise<Session | undefined>
  /**
   * Returns the status of a session that has not ended and whose user is neither disabled nor locked; `undefined` otherwise. Every
   * authenticated request calls this method, so an adapter may cache. A session that this process ended is refused
   * immediately. A session that another process on the same database ended is refused within one second.
   */
  status(id: string): Promise<SessionStatus | undefined>
  /**
   * Replaces the refresh token `fromTokenId` by `toTokenId`, if `fromTokenId` is current, has not expired, and the session has
   * not ended. One atomic statement: of any number of concurrent calls, exactly one returns `true`.
   */
  rotate(rotation: Rotation): Promise<boolean>
  /**
   * Returns the live session whose last rotation spent `fromTokenId` and is admitted; `undefined` otherwise, also after the
   * successor was spent. One statement compares everything.
   */
  rotatedBefore(repeated: RepeatedRotation): Promise<Session | undefined>
  /**
   * Returns whether the session is live and belongs to this user, who is neither disabled nor locked. In a transaction, the rows
   * of the session and the user stay locked until the end, so the session cannot end before the transaction does.
   */
  hold(id: string, userId: number): Promise<boolean>
  /** Ends a session; `false` if the session was not live. */
  end(id: string, reason: SessionEnd, now: Instant): Promise<boolean>
  /**
   * Ends a session as `not_me`. A session that ended before with a reason of `endsThatKeepWork` gets this reason too. Returns
   * `false` if the session is unknown, or if somebody else ended it.
   */
  disown(id: string, now: Instant): Promise<boolean>
  /** Ends every live session of a user. Returns their number. */
  endAllOfUser(userId: number, reason: SessionEnd, now: Instant): Promise<number>
  /** Ends every live session of a user except `keptSessionId`. Returns their number. */
  endOthersOfUser(userId: number, keptSessionId: string, reason: SessionEnd, now: Instant): Promise<number>
  /** Ends every live session of a device. Returns their number. */
  endAllOfDevice(deviceId: string, reason: SessionEnd, now: Instant): Promise<number>
  /** Ends every live session that this passkey of the user opened. Returns their number. */
  endAllOfPasskey(userId: number, passkeyId: string, reason: SessionEnd, now: Instant): Promise<number>
  /** Returns the live, unexpired sessions of a user, newest first. */
  liveOfUser(userId: number, now: Instant): Promise<readonly Session[]>
  /** Returns every stored session of a user, newest first: live, expired and ended. */
  allOfUser(userId: number): Promise<readonly Session[]>
  /**
   * Ends every live session of a user as `user_deleted`, and empties `openedFrom` in every session of the user, ended ones
   * included. Returns the number of sessions that were live.
   */
  eraseAllOfUser(userId: number, now: Instant): Promise<number>
  /** Returns a page of the sessions of all users, newest first. For administrators only. */
  page(query: SessionPageQuery): Promise<readonly Session[]>
}
