import type { Deps } from '../deps.ts'
import { RateLimited } from '../errors.ts'
import type { Instant } from '../ports/clock.ts'
import type { Stores } from '../ports/storage.ts'
import { InvalidCredentials } from './errors.ts'
import { loginWaits, waitAfterFailures } from './login-failures.ts'
import type { EndOfTry } from './login-tries.ts'

type AttemptDeps = Pick<Deps, 'storage' | 'clock' | 'options' | 'logger' | 'loginTries'>

/** What one try to log in to an account does about the failures before it. */
export interface LoginAttempt {
  /** Refuses by a look what would be refused anyway, so that a crowd costs one look each. @throws RateLimited */
  look(): Promise<void>
  /** Counts the try as a failure, before its password is looked at; the second time, nothing. @throws RateLimited */
  reserve(): Promise<void>
  /** Forgets all failures: part of the transaction that lets the user in. */
  forgive(tx: Stores): Promise<void>
}

const notLimited: LoginAttempt = { look: async () => {}, reserve: async () => {}, forgive: async () => {} }

/**
 * Runs one try. The database decides in one write, before the password is looked at, whether it may be made: of any number
 * at once, in any number of processes, no more are than are free. Where it is refused as `InvalidCredentials` it stays
 * counted; where it came to nothing it is given back.
 */
export const attemptLogin = async <T>(
  deps: AttemptDeps,
  account: string,
  work: (attempt: LoginAttempt) => Promise<T>,
): Promise<T> => {
  const { storage, clock, options, loginTries: tries } = deps
  if (options.rateLimits === 'off') return work(notLimited)
  let reservedAt = 0
  let end: EndOfTry | undefined

  const waitNow = async () => waitAfterFailures(await storage.loginFailures.of(account), loginWaits, clock.now())
  const ask = async (): Promise<number> => {
    for (;;) {
      reservedAt = clock.now()
      if (await storage.loginFailures.reserve(account, loginWaits, reservedAt)) return 0
      const wait = await waitNow()
      // Where another process has let the user in between the two, there is nothing to wait for.
      if (wait > 0) return wait
    }
  }

  const attempt: LoginAttempt = {
    look: async () => {
      const mayBeFreed = tries.areUnderWay(account)
      const wait = await waitNow()
      if (wait > 0 && !mayBeFreed && !tries.areUnderWay(account)) throw new RateLimited(wait)
    },
    reserve: async () => {
      if (end !== undefined) return
      const begun = await tries.begin(account, ask)
      if (typeof begun === 'number') throw new RateLimited(begun)
      end = begun
    },
    forgive: (tx) => tx.loginFailures.clear(account),
  }

  try {
    const result = await work(attempt)
    end?.(true)
    return result
  } catch (error) {
    const isFailure = error instanceof InvalidCredentials
    if (end !== undefined && !isFailure) await giveBack(deps, account, reservedAt)
    end?.(!isFailure)
    throw error
  }
}

/** What the try came to is told in any case: where this cannot be written either, one failure too many is counted. */
const giveBack = async ({ storage, logger }: AttemptDeps, account: string, reservedAt: Instant): Promise<void> => {
  try {
    await storage.loginFailures.giveBack(account, loginWaits, reservedAt)
  } catch (error) {
    logger.warn('login_try_not_given_back', { reason: error instanceof Error ? error.name : 'unknown' })
  }
}
