import type { Output } from '@countersign/contract'
import type { Method, MethodWithoutInput } from '../../http/method.ts'

/** A live session of the user. */
export type OwnSession = Output<'sessions.list'>['sessions'][number]

/** The password of the user. */
export interface PasswordMethods {
  /** Changes the password, and ends all other sessions. A wrong current password counts as a failed login. */
  readonly change: Method<'password.change'>
  /** Sets the password by a one-time code of an invitation or a reset, without a session. Ends all sessions of the user. */
  readonly setWithCode: Method<'password.redeem'>
}

/** The account of the user. */
export interface AccountMethods {
  /**
   * Locks the account, from a trusted device: ends every session, rejects every pending confirmation and refuses new logins, until
   * an administrator unlocks the account.
   */
  readonly lock: MethodWithoutInput<'account.lock'>
}

/** The live sessions of the user. */
export interface SessionMethods {
  /** Lists the live sessions, the newest first, with the client that opened each. `nextCursor` is the `cursor` of the next page. */
  readonly list: MethodWithoutInput<'sessions.list'>
  /** Ends one session. */
  readonly end: Method<'sessions.end'>
  /** Ends every session except the session of the client. */
  readonly endOthers: MethodWithoutInput<'sessions.endOthers'>
}
