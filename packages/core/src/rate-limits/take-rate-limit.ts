import type { Deps } from '../deps.ts'
import { limitOf, type RateLimits } from './limits.ts'
import type { RateLimit, RateLimitDecision } from './store.ts'

/** What a limited request is told: the limit that applies to it, and how it stands. */
export interface RateLimitOutcome extends RateLimitDecision {
  readonly limit: RateLimit
}

/**
 * Takes one request of a category for whoever makes it; `undefined` where nothing limits it.
 *
 * @param input.subject Who the limit counts: a user or a client address, in one spelling each.
 */
export const takeRateLimit = async (
  { rateLimits, clock, options }: Pick<Deps, 'rateLimits' | 'clock' | 'options'>,
  input: { readonly category: keyof RateLimits; readonly subject: string },
): Promise<RateLimitOutcome | undefined> => {
  const limit = limitOf(options.rateLimits, input.category)
  if (limit === undefined) return undefined
  const decision = await rateLimits.take(`${input.category}:${input.subject}`, limit, clock.now())
  return { ...decision, limit }
}
