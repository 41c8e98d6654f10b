import { createHmac } from 'node:crypto'
import { days, type Instant, type Milliseconds, minutes, seconds } from '../../shared/clock.ts'
import type { DigestKey } from '../digest-key.ts'
import type { RateLimit } from '../rate-limits/store.ts'
import { type Bound, boundText } from '../records/bound.ts'

/** The source of a login attempt, as keyed digests. The digests reveal no email and no address to a reader of the database. */
export interface LoginSource {
  /** Digest of the normalised email, whether or not a user has the email. */
  readonly account: string
  /** Digest of the email together with the client address. */
  readonly client: string
}

/**
 * Returns the source of a login attempt, from the normalised email and client address. All clients without an address count as
 * one. A client of a session that is bound to `tenants` is known to sessions with this bound only.
 */
export type LoginSourceOf = (email: string, address: string | undefined, tenants?: Bound) => Promise<LoginSource>

export const loginSources =
  (digestKey: DigestKey): LoginSourceOf =>
  async (email, address = 'unknown', tenants = null) => {
    const key = await digestKey('login/sources')
    const digest = (text: string): string => createHmac('sha256', key).update(text).digest('base64url')
    const client = ['client', email, address, ...(tenants === null ? [] : [boundText(tenants)])]
    return { account: digest(`account\0${email}`), client: digest(client.join('\0')) }
  }

/** The consecutive attempts of one client on one account that failed or are not finished. */
export interface LoginFailures {
  readonly count: number
  readonly lastAt: Instant
}

/** The delay after failures. The first `free` failures cause no delay. Each further failure doubles the delay, up to `longest`. */
export interface LoginWaits {
  readonly free: number
  readonly first: Milliseconds
  readonly longest: Milliseconds
}

/** A token bucket of attempts for one account. All clients from which the account never logged in share the bucket. */
export type LoginCeiling = Pick<RateLimit, 'burst' | 'refillMs'>

/** The stored state that decides whether a further attempt may proceed. */
export interface LoginAttemptState extends LoginFailures {
  /** The time until which the account knows the client; 0 if the account never logged in from the client. */
  readonly knownUntil: Instant
  /** The time at which the bucket of the account is full again. */
  readonly ceilingFullAt: Instant
}

/** Counts the login attempts for each account, also an unknown one, by the digests of a `LoginSource`. */
export interface LoginFailureStore {
  /** Returns the state for a source, in one read; zeros where nothing is stored. */
  of(source: LoginSource): Promise<LoginAttemptState>
  /**
   * Counts an attempt as a failure before the password check, if `waitAfterFailures` is 0 at `now`. Returns whether it was
   * counted. One atomic statement: of any number of concurrent attempts, exactly as many are counted as are free.
   */
  reserve(client: string, waits: LoginWaits, now: Instant): Promise<boolean>
  /** Undoes a reservation made at that time. Decrements the failures, and restores the earlier delay of the client. */
  giveBack(client: string, waits: LoginWaits, reservedAt: Instant): Promise<void>
  /** Resets the failures of a client after a login, and makes the client known until `knownUntil`. */
  succeed(client: string, now: Instant, knownUntil: Instant): Promise<void>
  /** Makes a client known until `knownUntil`. The failures of the client stay. */
  remember(client: string, now: Instant, knownUntil: Instant): Promise<void>
  /**
   * Takes an attempt from the bucket of the account, if `waitForCeiling` is 0. Returns whether there was an attempt to take. One
   * atomic statement: of any number of concurrent calls, exactly as many succeed as the bucket has attempts.
   */
  takeFromCeiling(account: string, ceiling: LoginCeiling, now: Instant): Promise<boolean>
  /** Returns one attempt to the bucket of the account. */
  giveBackToCeiling(account: string, ceiling: LoginCeiling): Promise<void>
}

/** The delays of one client on one account. */
export const loginWaits: LoginWaits = { free: 20, first: seconds(30), longest: minutes(15) }

/** The bucket that all unknown clients of an account share. One client alone cannot empty it: its own delays are stricter. */
export const loginCeiling: LoginCeiling = { burst: 100, refillMs: minutes(1) }

/** The time for which a client stays known after a login. Twice the lifetime of a session, so that a monthly login is enough. */
export const clientKnownFor = days(60)

/**
 * Returns how long a client must wait: nothing after the first failures, then twice as long after each, up to the longest. A
 * failure further in the future than the longest delay stems from a clock change, and is ignored.
 */
export const waitAfterFailures = ({ count, lastAt }: LoginFailures, waits: LoginWaits, now: Instant): Milliseconds => {
  if (count < waits.free || lastAt > now + waits.longest) return 0
  const wait = Math.min(waits.longest, waits.first * 2 ** (count - waits.free))
  return Math.max(0, lastAt + wait - now)
}

/** Returns when the bucket is full, as of `now`. A time more than two fillings ahead stems from a clock change, and is ignored. */
export const ceilingFullFrom = (fullAt: Instant, { burst, refillMs }: LoginCeiling, now: Instant): Instant =>
  fullAt > now + 2 * burst * refillMs ? now : Math.max(fullAt, now)

/** Returns how long unknown clients must wait for the bucket from `now`. */
export const waitForCeiling = (fullAt: Instant, ceiling: LoginCeiling, now: Instant): Milliseconds =>
  Math.max(0, ceilingFullFrom(fullAt, ceiling, now) + ceiling.refillMs - ceiling.burst * ceiling.refillMs - now)

/** Returns how long a client must wait for its next attempt from `now`. The ceiling is for unknown clients. */
export const waitForLogin = (state: LoginAttemptState, now: Instant): Milliseconds => {
  const wait = waitAfterFailures(state, loginWaits, now)
  return state.knownUntil > now ? wait : Math.max(wait, waitForCeiling(state.ceilingFullAt, loginCeiling, now))
}
