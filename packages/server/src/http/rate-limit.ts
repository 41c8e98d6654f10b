import { RateLimited, type RateLimitOutcome, type RateLimits } from '@countersign/core'
import type { PipelineCountersign } from './app-context.ts'
import { wholeSeconds } from './whole-seconds.ts'

/**
 * Returns the headers that describe a limit and its state, as structured field lists
 * (draft-ietf-httpapi-ratelimit-headers-10 §3, §4). `burst` is the bucket; its window is the time that the bucket takes to
 * fill. `window` is the ceiling, which `RateLimit` names only when the ceiling refuses. `t` is the time until one more
 * request is allowed (§4.1.2).
 */
export const rateLimitHeaders = (outcome: RateLimitOutcome): Readonly<Record<string, string>> => {
  const { limit, remaining, resetMs, retryAfterMs, refusedBy } = outcome
  const burst = `"burst";q=${limit.burst};w=${wholeSeconds(limit.burst * limit.refillMs)}`
  const window = `"window";q=${limit.windowMax};w=${wholeSeconds(limit.windowMs)}`
  return {
    'RateLimit-Policy': `${burst}, ${window}`,
    RateLimit:
      refusedBy === 'window'
        ? `"window";r=0;t=${wholeSeconds(retryAfterMs)}`
        : `"burst";r=${remaining};t=${wholeSeconds(resetMs)}`,
  }
}

/**
 * Removes `t` where it is later than the `Retry-After` of the refusal, so that a client reads one time only. `t` is optional.
 */
export const dropLaterReset = (headers: Record<string, string>): void => {
  const { RateLimit: limit, 'Retry-After': retryAfter } = headers
  const reset = /;t=(\d+)$/.exec(limit ?? '')
  if (limit === undefined || retryAfter === undefined || reset === null) return
  if (Number(reset[1]) > Number(retryAfter)) headers.RateLimit = limit.slice(0, reset.index)
}

/**
 * Takes one request from a limit, and adds the state of the limit to `headers`.
 *
 * @param subject The caller whom the limit counts: `user:<id>` or `address:<client address>`.
 * @throws RateLimited
 */
export const takeRateLimit = async (
  rateLimits: PipelineCountersign['rateLimits'],
  category: keyof RateLimits,
  subject: string,
  headers: Record<string, string>,
): Promise<void> => {
  const outcome = await rateLimits.take({ category, subject })
  if (outcome === undefined) return
  Object.assign(headers, rateLimitHeaders(outcome))
  if (!outcome.allowed) throw new RateLimited(outcome.retryAfterMs)
}
