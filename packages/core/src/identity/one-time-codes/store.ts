import type { Instant } from '../../shared/clock.ts'
import type { OneTimeCode } from './one-time-code.ts'

/** The use of a code: its kind and its user must be right. */
export interface CodeUse extends Pick<OneTimeCode, 'hash' | 'kind' | 'userId'> {
  readonly now: Instant
}

/** The one-time codes. The store holds at most one code of each kind for a user. */
export interface OneTimeCodeStore {
  /** Stores a code in place of the user's earlier code of this kind. One atomic statement. */
  issue(code: OneTimeCode): Promise<void>
  /** Returns the unspent, unexpired code with this hash. */
  byHash(hash: string, now: Instant): Promise<OneTimeCode | undefined>
  /**
   * Spends a code if the code has this hash, kind and user, and `now` is before its expiry. One atomic statement: exactly one of
   * any number of concurrent callers gets `true`, and nobody gets `true` for this code again.
   */
  spend(use: CodeUse): Promise<boolean>
  /** Returns every stored code of a user, oldest first, expired ones included. */
  allOfUser(userId: number): Promise<readonly OneTimeCode[]>
  /** Deletes every code of a user. Returns their number. */
  voidAllOfUser(userId: number): Promise<number>
}
