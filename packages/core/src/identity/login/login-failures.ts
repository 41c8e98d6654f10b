import type { Instant } from '../../shared/clock.ts'
import { days, minutes, seconds } from '../../shared/clock.ts'
import type { RateLimit } from '../rate-limits/store.ts'
import type { LoginSource } from './login-source.ts'

/** Tries in a row of one client for one account that did not log in, or have not yet. */
export interface LoginFailures {
  readonly count: number
  readonly lastAt: Instant
}

/** How many failures in a row cost nothing, and how long a client waits then: milliseconds, doubled with each further one. */
export interface LoginWaits {
  readonly free: number
  readonly first: number
  readonly longest: number
}

/** A token bucket of tries for one account, which all its unknown clients share. */
export type LoginCeiling = Pick<RateLimit, 'burst' | 'refillMs'>

/** Everything that decides about a further try. */
export interface LoginAttemptState extends LoginFailures {
  /** The account counts the client as known until then; 0 where it never logged in from there. */
  readonly knownUntil: Instant
  /** When the bucket of the account is full again. */
  readonly ceilingFullAt: Instant
}

/**
 * Counts tries for each account, of a user or of nobody, so that further ones can be made to wait. `client` and `account` are
 * the digests of a `LoginSource`.
 */
export interface LoginFailureStore {
  /** Reads what stands, in one look; zeros where nothing does. */
  of(source: LoginSource): Promise<LoginAttemptState>
  /**
   * Counts a try as a failure before its password is looked at, where `waitAfterFailures` leaves the client free to try at
   * `now`; tells whether. One atomic statement: of any number at once, exactly as many are counted as are free.
   */
  reserve(client: string, waits: LoginWaits, now: Instant): Promise<boolean>
  /** Takes back what was reserved at that time: one failure less, and the client is as free to try as it was then. */
  giveBack(client: string, waits: LoginWaits, reservedAt: Instant): Promise<void>
  /** Forgets the failures of a client from which the account has logged in, and makes it known until `knownUntil`. */
  succeed(client: string, now: Instant, knownUntil: Instant): Promise<void>
  /** Makes a client known until `knownUntil`. Its failures stay. */
  remember(client: string, now: Instant, knownUntil: Instant): Promise<void>
  /**
   * Takes a try from the bucket of the account, where `waitForCeiling` is 0; tells whether. One atomic statement: of any number
   * at once, exactly as many are taken as the bucket holds.
   */
  takeFromCeiling(account: string, ceiling: LoginCeiling, now: Instant): Promise<boolean>
  /** Puts one try back into the bucket of the account. */
  giveBackToCeiling(account: string, ceiling: LoginCeiling): Promise<void>
}

/** The waits of one client for one account. */
export const loginWaits: LoginWaits = { free: 20, first: seconds(30), longest: minutes(15) }

/** The bucket that all unknown clients of an account share. One client alone never empties it: its waits let it take less. */
export const loginCeiling: LoginCeiling = { burst: 100, refillMs: minutes(1) }

/** How long a client stays known after a login: twice as long as a session lives, so that a monthly login is enough. */
export const clientKnownFor = days(60)

/**
 * How long further tries of a client wait, in milliseconds from `now`: nothing while failures are free, then the first wait,
 * doubled with each further failure up to the longest. A failure further ahead than that was left by a leap of the clock.
 */
export const waitAfterFailures = ({ count, lastAt }: LoginFailures, waits: LoginWaits, now: Instant): number => {
  if (count < waits.free || lastAt > now + waits.longest) return 0
  const wait = Math.min(waits.longest, waits.first * 2 ** (count - waits.free))
  return Math.max(0, lastAt + wait - now)
}

/** When the bucket counts as full at `now`. What lies further ahead than two fillings was left by a leap of the clock. */
export const ceilingFullFrom = (fullAt: Instant, { burst, refillMs }: LoginCeiling, now: Instant): Instant =>
  fullAt > now + 2 * burst * refillMs ? now : Math.max(fullAt, now)

/** How long unknown clients wait until the bucket of the account holds a try again, in milliseconds from `now`. */
export const waitForCeiling = (fullAt: Instant, ceiling: LoginCeiling, now: Instant): number =>
  Math.max(0, ceilingFullFrom(fullAt, ceiling, now) + ceiling.refillMs - ceiling.burst * ceiling.refillMs - now)
