import type { Instant } from '../../shared/clock.ts'
import { RateLimited } from '../../shared/errors.ts'
import { InvalidCredentials, WrongPassword } from '../authentication/errors.ts'
import type { IdentityDeps } from '../deps.ts'
import type { EndAttempt } from '../login-throttle/attempts-in-progress.ts'
import { clientKnownFor, loginCeiling, loginWaits, waitForLogin } from '../login-throttle/login-failures.ts'
import type { LoginSource } from '../login-throttle/login-source.ts'
import type { IdentityStores } from '../stores.ts'

type AttemptDeps = Pick<IdentityDeps, 'storage' | 'clock' | 'options' | 'logger' | 'attemptsInProgress'>

/** One attempt to log in to an account, under the delays that earlier failures cause. */
export interface LoginAttempt {
  /**
   * Refuses the attempt if the client must wait. Costs one read, so a flood of attempts costs one read each. @throws RateLimited
   */
  refuseIfDelayed(): Promise<void>
  /** Counts the attempt as a failure before the password is checked. A second call does nothing. @throws RateLimited */
  reserve(): Promise<void>
  /** Resets the failures of the client and marks the client as known. Runs in the transaction that opens the session. */
  succeed(tx: IdentityStores): Promise<void>
}

/** The counters that an attempt has changed. */
interface Reservation {
  readonly at: Instant
  /** True if the attempt also took from the ceiling of the account, as for unknown clients. */
  readonly fromCeiling: boolean
}

const notLimited: LoginAttempt = { refuseIfDelayed: async () => {}, reserve: async () => {}, succeed: async () => {} }

/**
 * Runs one login attempt. The database decides before the password check whether the attempt may proceed. Of any number of
 * concurrent attempts in any number of processes, only as many proceed as the limits allow. An attempt that fails with
 * `InvalidCredentials` or `WrongPassword` stays counted. An attempt that fails for another reason is not counted.
 *
 * The delay applies to the client. The ceiling of the account applies only to unknown clients. So an attacker cannot lock out a
 * client from which the account has logged in recently.
 */
export const attemptLogin = async <T>(
  deps: AttemptDeps,
  source: LoginSource,
  work: (attempt: LoginAttempt) => Promise<T>,
): Promise<T> => {
  const { storage, clock, options, attemptsInProgress } = deps
  if (options.rateLimits === 'off') return work(notLimited)
  const { account, client } = source
  let isKnown = false
  let reservation: Reservation | undefined
  let end: EndAttempt | undefined

  const currentDelay = async (): Promise<number> => {
    const state = await storage.loginFailures.of(source)
    const now = clock.now()
    isKnown = state.knownUntil > now
    return waitForLogin(state, now)
  }

  const take = async (): Promise<Reservation | undefined> => {
    const { loginFailures } = storage
    const [at, fromCeiling] = [clock.now(), !isKnown]
    if (!(await loginFailures.reserve(client, loginWaits, at))) return undefined
    if (!fromCeiling || (await loginFailures.takeFromCeiling(account, loginCeiling, at))) return { at, fromCeiling }
    await loginFailures.giveBack(client, loginWaits, at)
    return undefined
  }

  const tryToReserve = async (): Promise<number> => {
    for (;;) {
      reservation = await take()
      if (reservation !== undefined) return 0
      const wait = await currentDelay()
      // If another process has admitted the user in between, there is nothing to wait for.
      if (wait > 0) return wait
    }
  }

  const attempt: LoginAttempt = {
    refuseIfDelayed: async () => {
      const mayBeFreedSoon = attemptsInProgress.has(client)
      const wait = await currentDelay()
      if (wait > 0 && !mayBeFreedSoon && !attemptsInProgress.has(client)) throw new RateLimited(wait)
    },
    reserve: async () => {
      if (end !== undefined) return
      const begun = await attemptsInProgress.begin(client, tryToReserve)
      if (typeof begun === 'number') throw new RateLimited(begun)
      end = begun
    },
    succeed: async (tx) => {
      const now = clock.now()
      await tx.loginFailures.succeed(client, now, now + clientKnownFor)
      if (reservation?.fromCeiling) await tx.loginFailures.giveBackToCeiling(account, loginCeiling)
    },
  }

  try {
    const result = await work(attempt)
    end?.(true)
    return result
  } catch (error) {
    const isFailure = error instanceof InvalidCredentials || error instanceof WrongPassword
    if (end !== undefined && reservation !== undefined && !isFailure) await giveBack(deps, source, reservation)
    end?.(!isFailure)
    throw error
  }
}

/**
 * Undoes the reservation. Where this write fails too, one failure too many stays counted, and the error of the attempt is
 * reported all the same.
 */
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
