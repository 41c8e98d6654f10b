import type { RateLimitCategory } from '@countersign/contract'
import type { Deps } from '../deps.ts'
import type { RateLimit, RateLimitDecision } from './store.ts'

/** What a limited request is told: the limit that applies to it, and how it stands. */
export interface RateLimitOutcome extends RateLimitDecision {
  readonly limit: RateLimit
}

/**
 * Takes one request of a category for whoever makes it; `undefined` where limits are off.
 *
 * @param input.subject Who the limit counts: a user or a client address, in one spelling each.
 */
export const takeRateLimit = async (
  { rateLimits, clock, options }: Pick<Deps, 'rateLimits' | 'clock' | 'options'>,
  input: { readonly category: RateLimitCategory; readonly subject: string },
): Promise<RateLimitOutcome | undefined> => {
  if (options.rateLimits === 'off') return undefined
  const limit = options.rateLimits[input.category]
  const decision = await rateLimits.take(`${input.category}:${input.subject}`, limit, clock.now())
  return { ...decision, limit }
}
