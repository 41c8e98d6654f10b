import type { Instant } from '../../shared/clock.ts'
import { Invalid } from '../../shared/errors.ts'
import type { Logger } from '../../shared/logger.ts'
import { limitOf, type RateLimitDeps, type RateLimits, rateLimitKey, requireCategory } from './limits.ts'

/**
 * Gives a request back that `rateLimits.take` allowed at `takenAt`, for example a login that succeeded. If the store fails, one
 * request too many stays counted, and the failure is logged.
 * @throws Invalid
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
