import type { Instant } from '../ports/clock.ts'
import { minutes, seconds } from '../ports/clock.ts'

/** Tries in a row for one account that did not log in, or have not yet. */
export interface LoginFailures {
  readonly count: number
  readonly lastAt: Instant
}

/** How many failures in a row cost nothing, and how long an account waits then: milliseconds, doubled with each further one. */
export interface LoginWaits {
  readonly free: number
  readonly first: number
  readonly longest: number
}

/** Counts tries for each account, known or not, so that further ones can be made to wait. */
export interface LoginFailureStore {
  /** `account` is a digest of the normalised email, known to us or not. */
  of(account: string): Promise<LoginFailures | undefined>
  /**
   * Counts a try as a failure before its password is looked at, where `waitAfterFailures` leaves the account free to try at
   * `now`; tells whether. One atomic statement: of any number at once, exactly as many are counted as are free.
   */
  reserve(account: string, waits: LoginWaits, now: Instant): Promise<boolean>
  /** Takes back what was reserved at that time: one failure less, and the account is as free to try as it was then. */
  giveBack(account: string, waits: LoginWaits, reservedAt: Instant): Promise<void>
  clear(account: string): Promise<void>
}

/** Never for ever, so nobody can be locked out. */
export const loginWaits: LoginWaits = { free: 10, first: seconds(30), longest: minutes(15) }

/**
 * How long further tries for an account wait, in milliseconds from `now`: nothing while failures are free, then the first
 * wait, doubled with each further failure up to the longest.
 */
export const waitAfterFailures = (failures: LoginFailures | undefined, waits: LoginWaits, now: Instant): number => {
  if (failures === undefined || failures.count < waits.free) return 0
  const wait = Math.min(waits.longest, waits.first * 2 ** (failures.count - waits.free))
  return Math.max(0, failures.lastAt + wait - now)
}
