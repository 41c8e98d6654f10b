import type { Clock, Instant } from '../../shared/clock.ts'
import { Invalid } from '../../shared/errors.ts'
import type { Logger } from '../../shared/logger.ts'
import { limitOf, type RateLimitDeps, type RateLimits, rateLimitKey, requireCategory } from './limits.ts'
import type { RateLimit, RateLimitDecision } from './store.ts'

/** A decision, with the limit that was applied. */
export interface RateLimitOutcome extends RateLimitDecision {
  readonly limit: RateLimit
  /** The time of the request. `rateLimits.giveBack` gives an allowed request of this time back. */
  readonly takenAt: Instant
}

/**
 * Takes one request from the limit of a category; `undefined` if the category has no limit.
 * @param input.subject A session, a service or a client address, normalised.
 * @throws Invalid for an unknown category, which must not count as a category without a limit
 * @example const outcome = await countersign.rateLimits.take({ category: 'projects', subject: caller.sessionId })
 */
export async function takeRateLimit(
  { rateLimits, clock, options }: RateLimitDeps & { readonly clock: Clock },
  input: { readonly category: keyof RateLimits; readonly subject: string },
): Promise<RateLimitOutcome | undefined> {
  const { category, subject } = input ?? {}
  requireCategory(category)
  if (typeof subject !== 'string') throw new Invalid({ subject: 'must be text' })
  const limit = limitOf(options.rateLimits, category)
  if (limit === undefined) return undefined
  const takenAt = clock.now()
  return { ...(await rateLimits.take(rateLimitKey(category, subject), limit, takenAt)), limit, takenAt }
}

/**
 * Gives a request back that `rateLimits.take` allowed at `takenAt`, for example a login that succeeded. If the store fails, one
 * request too many stays counted, and the failure is logged. @throws Invalid
 * @example await countersign.rateLimits.giveBack({ category: 'authentication', subject: address, takenAt: outcome.takenAt })
 */
export async function giveBackRateLimit(
  { rateLimits, options, logger }: RateLimitDeps & { readonly logger: Logger },
  input: { readonly category: keyof RateLimits; readonly subject: string; readonly takenAt: Instant },
): Promise<void> {
  const { category, subject, takenAt } = input ?? {}
  requireCategory(category)
  if (typeof subject !== 'string') throw new Invalid({ subject: 'must be text' })
  if (!Number.isSafeInteger(takenAt)) throw new Invalid({ takenAt: 'must be the time of the request, in milliseconds' })
  const limit = limitOf(options.rateLimits, category)
  if (limit === undefined) return
  try {
    await rateLimits.giveBack(rateLimitKey(category, subject), limit, takenAt)
  } catch (error) {
    logger.warn('rate_limit_not_given_back', { reason: error instanceof Error ? error.name : 'unknown' })
  }
}
