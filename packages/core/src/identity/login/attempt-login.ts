import type { Instant } from '../../shared/clock.ts'
import { RateLimited } from '../../shared/errors.ts'
import { InvalidCredentials, WrongPassword } from '../authentication/errors.ts'
import type { IdentityDeps } from '../deps.ts'
import type { BegunAttempt } from '../login-throttle/attempts-in-progress.ts'
import { clientKnownFor, type LoginSource, loginCeiling, loginWaits, waitForLogin } from '../login-throttle/login-failures.ts'
import type { IdentityStores } from '../stores.ts'

/** One attempt to log in to an account, under the delays that earlier failures cause. */
export interface LoginAttempt {
  /** Reads in one query whether the client must wait, and whether the account knows it. @throws RateLimited if it must wait */
  refuseIfDelayed(): Promise<void>
  /**
   * Counts a failure before the password check, once; of an unknown client, for the account too. Must follow `refuseIfDelayed`,
   * which reads whether the client is known. @throws RateLimited
   */
  reserve(): Promise<void>
  /** Resets the failures of the client and marks the client as known. Runs in the transaction that opens the session. */
  succeed(tx: IdentityStores): Promise<undefined>
}

/** The counters that an attempt has changed. */
interface Reservation {
  readonly at: Instant
  /** True if the attempt also took from the ceiling of the account, as for unknown clients. */
  readonly fromCeiling: boolean
}

const notLimited: LoginAttempt = {
  refuseIfDelayed: async () => {},
  reserve: async () => {},
  succeed: async () => undefined,
}

/**
 * Runs a login as one attempt. The database decides before the password check whether it may proceed, so that of concurrent
 * attempts in all processes only as many proceed as the limits allow. The ceiling of the account applies only to unknown clients,
 * so that an attacker cannot lock out a client from which the account logged in recently.
 *
 * A wrong password stays counted as a failure; a login that another error interrupts is not counted. Of the attempts that wait for
 * this one, more may proceed unless the password was wrong.
 */
export const attemptLogin = async <R>(deps: IdentityDeps, source: LoginSource, logIn: (attempt: LoginAttempt) => Promise<R>) => {
  const { clock, options, attemptsInProgress } = deps
  if (options.rateLimits === 'off') return logIn(notLimited)
  const { account, client } = source
  let isKnown = false
  let begun: BegunAttempt<Reservation> | undefined

  const attempt: LoginAttempt = {
    refuseIfDelayed: async () => {
      const mayBeFreedSoon = attemptsInProgress.has(client)
      const delay = await readDelay(deps, source)
      if (delay.wait > 0 && !mayBeFreedSoon && !attemptsInProgress.has(client)) throw new RateLimited(delay.wait)
      isKnown = delay.isKnown
    },
    reserve: async () => {
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
  }
  try {
    const result = await logIn(attempt)
    begun?.end(true)
    return result
  } catch (error) {
    const isWrong = error instanceof InvalidCredentials || error instanceof WrongPassword
    if (begun !== undefined && !isWrong) await giveBack(deps, source, begun.reserved)
    begun?.end(!isWrong)
    throw error
  }
}

/** Returns how long the client must wait, in milliseconds, and whether the account knows the client. */
const readDelay = async ({ storage, clock }: IdentityDeps, source: LoginSource) => {
  const state = await storage.loginFailures.of(source)
  const now = clock.now()
  return { wait: waitForLogin(state, now), isKnown: state.knownUntil > now }
}

/** Counts the attempt. Returns the reservation, or how long the client must wait. */
const reserve = async (deps: IdentityDeps, source: LoginSource, isKnown: boolean): Promise<Reservation | number> => {
  const reservation = await takeBoth(deps, source, !isKnown)
  if (reservation !== undefined) return reservation
  const now = await readDelay(deps, source)
  // If another process has let the user log in meanwhile, there is no reason to wait.
  return now.wait > 0 ? now.wait : reserve(deps, source, now.isKnown)
}

/** Counts a failure of the client and, for an unknown client, an attempt of the account; both or neither. */
const takeBoth = async ({ storage, clock }: IdentityDeps, { account, client }: LoginSource, fromCeiling: boolean) => {
  const { loginFailures } = storage
  const at = clock.now()
  if (!(await loginFailures.reserve(client, loginWaits, at))) return undefined
  if (!fromCeiling || (await loginFailures.takeFromCeiling(account, loginCeiling, at))) return { at, fromCeiling }
  await loginFailures.giveBack(client, loginWaits, at)
  return undefined
}

/** Undoes the reservation. If this write fails, one failure too many stays counted, and the caller still gets its own error. */
const giveBack = async (
  { storage, logger }: IdentityDeps,
  { account, client }: LoginSource,
  { at, fromCeiling }: Reservation,
) => {
  try {
    await storage.loginFailures.giveBack(client, loginWaits, at)
    if (fromCeiling) await storage.loginFailures.giveBackToCeiling(account, loginCeiling)
  } catch (error) {
    logger.warn('login_try_not_given_back', { reason: error instanceof Error ? error.name : 'unknown' })
  }
}
