import type { Instant } from '../../shared/clock.ts'
import { RateLimited } from '../../shared/errors.ts'
import { InvalidCredentials, WrongPassword } from '../authentication/errors.ts'
import type { IdentityDeps } from '../deps.ts'
import type { BegunAttempt } from '../login-throttle/attempts-in-progress.ts'
import { clientKnownFor, type LoginSource, loginCeiling, loginWaits, waitForLogin } from '../login-throttle/login-failures.ts'
import type { IdentityStores } from '../stores.ts'

type AttemptDeps = Pick<IdentityDeps, 'storage' | 'clock' | 'options' | 'logger' | 'attemptsInProgress'>

/** The end of an attempt. A wrong password is a failure and stays counted; an attempt that is interrupted is not counted. */
export type AttemptOutcome = 'succeeded' | 'failed' | 'interrupted'

/** One attempt to log in to an account, under the delays that earlier failures cause. Whoever begins an attempt must end it. */
export interface LoginAttempt {
  /** Returns whether the account knows the client, in one read. @throws RateLimited if the client must wait */
  refuseIfDelayed(): Promise<boolean>
  /**
   * Counts the attempt as a failure before the password check, once; of an unknown client, for the account too. @throws
   * RateLimited
   */
  reserve(isKnown: boolean): Promise<void>
  /** Resets the failures of the client and marks the client as known. Runs in the transaction that opens the session. */
  succeed(tx: IdentityStores): Promise<undefined>
  /** Ends the attempt. Of the attempts that wait for this one, more may proceed unless it has failed. */
  end(outcome: AttemptOutcome): Promise<void>
}

/** The counters that an attempt has changed. */
interface Reservation {
  readonly at: Instant
  /** True if the attempt also took from the ceiling of the account, as for unknown clients. */
  readonly fromCeiling: boolean
}

const notLimited: LoginAttempt = {
  refuseIfDelayed: async () => true,
  reserve: async () => {},
  succeed: async () => undefined,
  end: async () => {},
}

/** Returns the outcome of an attempt that ended with an error. */
export const outcomeOf = (error: unknown): AttemptOutcome =>
  error instanceof InvalidCredentials || error instanceof WrongPassword ? 'failed' : 'interrupted'

/**
 * Begins a login attempt. The database decides before the password check whether it may proceed, so that of concurrent attempts in
 * all processes only as many proceed as the limits allow. The ceiling of the account applies only to unknown clients, so that an
 * attacker cannot lock out a client from which the account logged in recently.
 */
export const beginAttempt = (deps: AttemptDeps, source: LoginSource): LoginAttempt => {
  const { clock, options, attemptsInProgress } = deps
  if (options.rateLimits === 'off') return notLimited
  const { account, client } = source
  let begun: BegunAttempt<Reservation> | undefined

  return {
    refuseIfDelayed: async () => {
      const mayBeFreedSoon = attemptsInProgress.has(client)
      const { wait, isKnown } = await readDelay(deps, source)
      if (wait > 0 && !mayBeFreedSoon && !attemptsInProgress.has(client)) throw new RateLimited(wait)
      return isKnown
    },
    reserve: async (isKnown) => {
      if (begun !== undefined) return
      const admitted = await attemptsInProgress.begin(client, () => reserve(deps, source, isKnown))
      if (typeof admitted === 'number') throw new RateLimited(admitted)
      begun = admitted
    },
    succeed: async (tx) => {
      const now = clock.now()
      await tx.loginFailures.succeed(client, now, now + clientKnownFor)
      if (begun?.reserved.fromCeiling) await tx.loginFailures.giveBackToCeiling(account, loginCeiling)
      return undefined
    },
    end: async (outcome) => {
      if (begun !== undefined && outcome === 'interrupted') await giveBack(deps, source, begun.reserved)
      begun?.end(outcome !== 'failed')
    },
  }
}

/** Returns how long the client must wait, in milliseconds, and whether the account knows the client. */
const readDelay = async ({ storage, clock }: AttemptDeps, source: LoginSource) => {
  const state = await storage.loginFailures.of(source)
  const now = clock.now()
  return { wait: waitForLogin(state, now), isKnown: state.knownUntil > now }
}

/** Counts the attempt. Returns the reservation, or how long the client must wait. */
const reserve = async (deps: AttemptDeps, source: LoginSource, isKnown: boolean): Promise<Reservation | number> => {
  const reservation = await takeBoth(deps, source, !isKnown)
  if (reservation !== undefined) return reservation
  const now = await readDelay(deps, source)
  // If another process has let the user log in meanwhile, there is no reason to wait.
  return now.wait > 0 ? now.wait : reserve(deps, source, now.isKnown)
}

/** Counts a failure of the client and, for an unknown client, an attempt of the account; both or neither. */
const takeBoth = async (
  { storage: { loginFailures }, clock }: AttemptDeps,
  { account, client }: LoginSource,
  fromCeiling: boolean,
): Promise<Reservation | undefined> => {
  const at = clock.now()
  if (!(await loginFailures.reserve(client, loginWaits, at))) return undefined
  if (!fromCeiling || (await loginFailures.takeFromCeiling(account, loginCeiling, at))) return { at, fromCeiling }
  await loginFailures.giveBack(client, loginWaits, at)
  return undefined
}

/** Undoes the reservation. If this write fails, one failure too many stays counted, and the caller still gets its own error. */
const giveBack = async (
  { storage, logger }: AttemptDeps,
  { account, client }: LoginSource,
  { at, fromCeiling }: Reservation,
): Promise<void> => {
  try {
    await storage.loginFailures.giveBack(client, loginWaits, at)
    if (fromCeiling) await storage.loginFailures.giveBackToCeiling(account, loginCeiling)
  } catch (error) {
    logger.warn('login_try_not_given_back', { reason: error instanceof Error ? error.name : 'unknown' })
  }
}
