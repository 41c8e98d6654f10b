import { Invalid } from '../../shared/errors.ts'
import type { IdentityDeps } from '../deps.ts'
import { limitOf, type RateLimits, requireCategory } from './limits.ts'
import type { RateLimit, RateLimitDecision } from './store.ts'

/** What a limited request is told: the limit that applies to it, and how it stands. */
export interface RateLimitOutcome extends RateLimitDecision {
  readonly limit: RateLimit
}

/**
 * Takes one request of a category for whoever makes it; `undefined` where nothing limits it.
 *
 * @throws Invalid for a category that there is not: it must not pass for one without a limit
 * @param input.subject Who the limit counts: a user or a client address, in one spelling each.
 */
export const takeRateLimit = async (
  { rateLimits, clock, options }: Pick<IdentityDeps, 'rateLimits' | 'clock' | 'options'>,
  input: { readonly category: keyof RateLimits; readonly subject: string },
): Promise<RateLimitOutcome | undefined> => {
  const { category, subject } = input ?? {}
  requireCategory(category)
  if (typeof subject !== 'string') throw new Invalid({ subject: 'must be text' })
  const limit = limitOf(options.rateLimits, category)
  if (limit === undefined) return undefined
  const decision = await rateLimits.take(`${category}:${subject}`, limit, clock.now())
  return { ...decision, limit }
}
