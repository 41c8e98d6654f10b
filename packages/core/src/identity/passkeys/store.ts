import type { Instant } from '../../shared/clock.ts'
import type { Passkey } from './passkey.ts'

/** That a passkey signed, as the authenticator tells of it. */
export interface PasskeyUse {
  readonly userId: number
  /** The credential id. */
  readonly id: string
  readonly signCount: number
  readonly backedUp: boolean
  readonly now: Instant
}

/** Passkeys, and the handle by which authenticators know each user. */
export interface PasskeyStore {
  /**
   * The handle that the user has, which is `fresh` from now on where there was none. One atomic statement: of any number
   * at once, all get the same, and it never changes.
   */
  userHandle(userId: number, fresh: string): Promise<string>
  /**
   * Adds a passkey that its user registers in this session. A unique index on user and credential id decides between several
   * at once; and whatever happens at once, the user never has more than `limit`. Another user's passkey of the same id changes
   * nothing. `session_ended` where the session is not live, or is somebody else's (see `SessionStore.status`): it is held
   * until the passkey is stored, so no registration slips past a logout or a disabling.
   */
  register(passkey: Passkey, sessionId: string, limit: number): Promise<'registered' | 'known' | 'too_many' | 'session_ended'>
  /** The passkeys of all users with this credential id, oldest first, 100 at most. */
  withId(id: string): Promise<readonly Passkey[]>
  /** By age, oldest first. */
  allOfUser(userId: number): Promise<readonly Passkey[]>
  /**
   * Notes a use, where the passkey is still there and its count rises, or has always been 0 (WebAuthn Level 3 §6.1.1);
   * `false` where not, and then nothing is changed. One atomic statement: of any number at once with one count, one gets
   * `true`. Within a transaction it holds the passkey's row until the end, so that what follows cannot slip past a removal.
   */
  use(use: PasskeyUse): Promise<boolean>
  /** The passkey under its new name; `undefined` where the user has no such passkey. */
  rename(userId: number, id: string, name: string): Promise<Passkey | undefined>
  /** Deletes the passkey; `false` where the user has no such passkey. */
  remove(userId: number, id: string): Promise<boolean>
}
