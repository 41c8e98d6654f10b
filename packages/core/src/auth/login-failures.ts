import type { Instant } from '../ports/clock.ts'
import { minutes, seconds } from '../ports/clock.ts'

/** Wrong passwords in a row for one account. */
export interface LoginFailures {
  readonly count: number
  readonly lastAt: Instant
}

/** Counts wrong passwords for each account, known or not, so that further tries can be made to wait. */
export interface LoginFailureStore {
  /** `account` is a digest of the normalised email, known to us or not. */
  of(account: string): Promise<LoginFailures | undefined>
  /** Counts one more. One atomic statement: none of several at once is lost. */
  add(account: string, now: Instant): Promise<void>
  clear(account: string): Promise<void>
}

const FREE_FAILURES = 10
const FIRST_WAIT = seconds(30)
const LONGEST_WAIT = minutes(15)

/**
 * How long further tries for an account wait, in milliseconds from `now`: nothing for the first ten failures, then
 * 30 seconds, doubled with each further failure up to 15 minutes. Never for ever, so nobody can be locked out.
 */
export const waitAfterFailures = (failures: LoginFailures | undefined, now: Instant): number => {
  if (failures === undefined || failures.count < FREE_FAILURES) return 0
  const wait = Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** (failures.count - FREE_FAILURES))
  return Math.max(0, failures.lastAt + wait - now)
}
