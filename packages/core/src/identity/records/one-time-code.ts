import type { PasswordCodeKind } from '@countersign/contract'
import { days, type Instant, type Milliseconds, minutes } from '../../shared/clock.ts'

/**
 * The kind of a one-time code. `enrolment` makes a new device or passkey trusted; the others set a password: administrators issue
 * `reset` and `invitation`, and `forgot` goes to the email of whoever asks. No kind is accepted for another.
 */
export type OneTimeCodeKind = 'enrolment' | PasswordCodeKind

/** A one-time code of one user. The storage keeps the hash of the text, never the text. */
export interface OneTimeCode {
  readonly userId: number
  readonly kind: OneTimeCodeKind
  /** See `hashOfCode`. */
  readonly hash: string
  readonly createdAt: Instant
  readonly expiresAt: Instant
}

/** The time in which a code can be used. */
export const codeLifetimes: Readonly<Record<OneTimeCodeKind, Milliseconds>> = {
  enrolment: minutes(15),
  reset: minutes(30),
  invitation: days(7),
  forgot: minutes(30),
}

/** The use of a code: its kind and its user must be right. */
export interface CodeUse extends Pick<OneTimeCode, 'hash' | 'kind' | 'userId'> {
  readonly now: Instant
}

/** The one-time codes. The store has at most one code of each kind for a user, but several of the kind `forgot`. */
export interface OneTimeCodeStore {
  /** Stores a code in place of the user's earlier code of this kind. One atomic statement. */
  issue(code: OneTimeCode): Promise<void>
  /**
   * Stores a code of the kind `forgot` besides the others of the user; `false` if `most` of them live then. The row of the user
   * stays locked until the transaction ends, so that of concurrent calls exactly as many succeed as there is room for.
   */
  issueForgot(code: OneTimeCode, most: number): Promise<boolean>
  /** Returns the unspent code with this hash; also an expired one, until it is swept. */
  byHash(hash: string): Promise<OneTimeCode | undefined>
  /**
   * Spends an unexpired code with this hash, kind and user. One atomic statement: exactly one of any number of concurrent callers
   * gets `true`, and nobody gets `true` for this code again.
   */
  spend(use: CodeUse): Promise<boolean>
  /** Returns every stored code of a user, oldest first, expired ones included. */
  allOfUser(userId: number): Promise<readonly OneTimeCode[]>
  /** Deletes every code of a user, or those of one kind. Returns their number. */
  voidAllOfUser(userId: number, kind?: OneTimeCodeKind): Promise<number>
}
