import { type Countersign, RateLimited, type RateLimitOutcome, type RateLimits } from '@countersign/core'
import { wholeSeconds } from './whole-seconds.ts'

/**
 * The limit and how it stands, as structured field lists (draft-ietf-httpapi-ratelimit-headers-10 §3, §4): `burst` is the
 * bucket, whose window is how long it takes to fill; `window` is the ceiling, told of only where it is what refuses. `t` is
 * how long it takes until one request more is there (§4.1.2).
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
 * Removes `t`, which is optional, where the refusal has a reason of its own and a `Retry-After` before it: a client must
 * not be told two times.
 */
export const dropLaterReset = (headers: Record<string, string>): void => {
  const { RateLimit: limit, 'Retry-After': retryAfter } = headers
  const reset = /;t=(\d+)$/.exec(limit ?? '')
  if (limit === undefined || retryAfter === undefined || reset === null) return
  if (Number(reset[1]) > Number(retryAfter)) headers.RateLimit = limit.slice(0, reset.index)
}

/**
 * Takes one request of the category, and tells in `headers` how the limit stands.
 *
 * @param subject Whom the limit counts: `user:<id>` or `address:<client address>`.
 * @throws RateLimited
 */
export const takeRateLimit = async (
  { rateLimits }: Pick<Countersign, 'rateLimits'>,
  category: keyof RateLimits,
  subject: string,
  headers: Record<string, string>,
): Promise<void> => {
  const outcome = await rateLimits.take({ category, subject })
  if (outcome === undefined) return
  Object.assign(headers, rateLimitHeaders(outcome))
  if (!outcome.allowed) throw new RateLimited(outcome.retryAfterMs)
}
