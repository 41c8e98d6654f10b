import type { Instant } from '../../shared/clock.ts'
import type { Passkey } from './passkey.ts'

/** A use of a passkey, as the authenticator reports it. */
export interface PasskeyUse {
  readonly userId: number
  /** The credential id. */
  readonly id: string
  readonly signCount: number
  readonly backedUp: boolean
  readonly now: Instant
}

/** The passkeys, and the user handle of each user. */
export interface PasskeyStore {
  /**
   * Returns the user handle of a user. Stores `fresh` if the user has no handle. One atomic statement: all concurrent
   * callers get the same handle, and the handle never changes.
   */
  userHandle(userId: number, fresh: string): Promise<string>
  /**
   * Adds a passkey in a session of its user. A unique index on user and credential id decides between concurrent registrations.
   * The user never has more than `limit` passkeys. A passkey of another user with the same id does not matter. `session_ended`:
   * the session is not live or belongs to another user (see `SessionStore.status`). The session is locked until the passkey is
   * stored, so no registration can follow a logout or a disabling. A passkey that is trusted at its creation cancels all
   * cooling-off periods of the user.
   */
  register(passkey: Passkey, sessionId: string, limit: number): Promise<'registered' | 'known' | 'too_many' | 'session_ended'>
  /** Returns the passkeys of all users with this credential id, oldest first, at most 100. */
  withId(id: string): Promise<readonly Passkey[]>
  /** Returns the passkeys of a user, oldest first. */
  allOfUser(userId: number): Promise<readonly Passkey[]>
  /**
   * Records a use if the passkey exists and its counter rises, or has always been 0 (WebAuthn Level 3 §6.1.1). Returns `false`
   * otherwise, and changes nothing. One atomic statement: of any number of concurrent calls with one counter, exactly one
   * returns `true`. In a transaction, the row of the passkey stays locked until the end, so no removal can happen in between.
   */
  use(use: PasskeyUse): Promise<boolean>
  /** Renames the passkey and returns it; `undefined` if the user has no such passkey. */
  rename(userId: number, id: string, name: string): Promise<Passkey | undefined>
  /** Deletes every passkey of the user, and the user handle. Returns the number of passkeys. */
  deleteAllOfUser(userId: number): Promise<number>
  /** Deletes the passkey; `false` if the user has no such passkey. */
  remove(userId: number, id: string): Promise<boolean>
}
