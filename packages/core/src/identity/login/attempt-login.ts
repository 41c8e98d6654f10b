import type { Instant } from '../../shared/clock.ts'
import { RateLimited } from '../../shared/errors.ts'
import { InvalidCredentials } from '../authentication/errors.ts'
import type { IdentityDeps } from '../deps.ts'
import type { IdentityStores } from '../stores.ts'
import { clientKnownFor, loginCeiling, loginWaits, waitAfterFailures, waitForCeiling } from './login-failures.ts'
import type { LoginSource } from './login-source.ts'
import type { EndOfTry } from './login-tries.ts'

type AttemptDeps = Pick<IdentityDeps, 'storage' | 'clock' | 'options' | 'logger' | 'loginTries'>

/** What one try to log in to an account does about the failures before it. */
export interface LoginAttempt {
  /** Refuses by a look what would be refused anyway, so that a crowd costs one look each. @throws RateLimited */
  look(): Promise<void>
  /** Counts the try as a failure, before its password is looked at; the second time, nothing. @throws RateLimited */
  reserve(): Promise<void>
  /** Forgets the failures of the client and makes it known: part of the transaction that lets the user in. */
  succeed(tx: IdentityStores): Promise<void>
}

/** What a try has counted. */
interface Reservation {
  readonly at: Instant
  /** Whether the try was taken from the ceiling as well: the client was not known. */
  readonly fromCeiling: boolean
}

const notLimited: LoginAttempt = { look: async () => {}, reserve: async () => {}, succeed: async () => {} }

/**
 * Runs one try. The database decides, before the password is looked at, whether it may be made: of any number at once, in any
 * number of processes, no more are than are free. Where it is refused as `InvalidCredentials` it stays counted; where it came
 * to nothing it is given back.
 *
 * The waits are those of the client. The ceiling of the account holds for unknown clients only, so nobody can lock out a
 * client from which the account has logged in lately.
 */
export const attemptLogin = async <T>(
  deps: AttemptDeps,
  source: LoginSource,
  work: (attempt: LoginAttempt) => Promise<T>,
): Promise<T> => {
  const { storage, clock, options, loginTries: tries } = deps
  if (options.rateLimits === 'off') return work(notLimited)
  const { account, client } = source
  let isKnown = false
  let reservation: Reservation | undefined
  let end: EndOfTry | undefined

  const waitNow = async (): Promise<number> => {
    const standing = await storage.loginFailures.of(source)
    const now = clock.now()
    isKnown = standing.knownUntil > now
    const wait = waitAfterFailures(standing, loginWaits, now)
    return isKnown ? wait : Math.max(wait, waitForCeiling(standing.ceilingFullAt, loginCeiling, now))
  }

  const take = async (): Promise<Reservation | undefined> => {
    const { loginFailures } = storage
    const [at, fromCeiling] = [clock.now(), !isKnown]
    if (!(await loginFailures.reserve(client, loginWaits, at))) return undefined
    if (!fromCeiling || (await loginFailures.takeFromCeiling(account, loginCeiling, at))) return { at, fromCeiling }
    await loginFailures.giveBack(client, loginWaits, at)
    return undefined
  }

  const ask = async (): Promise<number> => {
    for (;;) {
      reservation = await take()
      if (reservation !== undefined) return 0
      const wait = await waitNow()
      // Where another process has let the user in between the two, there is nothing to wait for.
      if (wait > 0) return wait
    }
  }

  const attempt: LoginAttempt = {
    look: async () => {
      const mayBeFreed = tries.areUnderWay(client)
      const wait = await waitNow()
      if (wait > 0 && !mayBeFreed && !tries.areUnderWay(client)) throw new RateLimited(wait)
    },
    reserve: async () => {
      if (end !== undefined) return
      const begun = await tries.begin(client, ask)
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
    const isFailure = error instanceof InvalidCredentials
    if (end !== undefined && reservation !== undefined && !isFailure) await giveBack(deps, source, reservation)
    end?.(!isFailure)
    throw error
  }
}

/** Reports the error of the try in any case: where this write fails too, one failure too many stays counted. */
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
