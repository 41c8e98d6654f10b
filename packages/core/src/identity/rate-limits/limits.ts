import {
  type OptionalRateLimitCategory,
  optionalRateLimitCategories,
  type RateLimitCategory,
  rateLimitCategories,
} from '@countersign/contract'
import { hours, type Milliseconds, minutes } from '../../shared/clock.ts'
import { Invalid } from '../../shared/errors.ts'
import type { RateLimit, RateLimitStore } from './store.ts'

/**
 * The limit of each category (see `perMinute`). `confirmation-reading` (what pages ask often: who is signed in, confirmations),
 * `projects`, `internal` and `health` have none by default.
 */
export type RateLimits = Readonly<Record<RateLimitCategory, RateLimit> & Partial<Record<OptionalRateLimitCategory, RateLimit>>>

/** The ports that the use cases of rate limits need. */
export interface RateLimitDeps {
  readonly rateLimits: RateLimitStore
  readonly options: { readonly rateLimits: RateLimits | 'off' }
}

const categories: ReadonlySet<unknown> = new Set([...rateLimitCategories, ...optionalRateLimitCategories])

/**
 * Returns whether a limit exists for the category; the answer never changes. @throws Invalid for an unknown category
 * @example const isLimited = countersign.rateLimits.has('projects')
 */
export function hasRateLimit(rateLimits: RateLimits | 'off', category: keyof RateLimits): boolean {
  requireCategory(category)
  return limitOf(rateLimits, category) !== undefined
}

/** Checks that a category exists. @throws Invalid for an unknown category */
export const requireCategory = (category: unknown): void => {
  if (!categories.has(category)) throw new Invalid({ category: `must be one of ${[...categories].join(', ')}` })
}

/** Returns the limit of a category; `undefined` if the category has no limit. */
export const limitOf = (rateLimits: RateLimits | 'off', category: keyof RateLimits): RateLimit | undefined =>
  rateLimits === 'off' ? undefined : rateLimits[category]

/** Returns the subject under which a server counts requests of a session, of a service or of a client address. */
export const limitSubject = (kind: 'session' | 'service' | 'address', id: string): string => `${kind}:${id}`

export const rateLimitKey = (category: keyof RateLimits, subject: string): string => `${category}:${subject}`

/**
 * Returns a limit of `count` requests per minute, with bursts of up to `burst`. The refill interval is rounded up, so that the
 * limit is never exceeded.
 */
export const perMinute = (count: number, windowMs: Milliseconds, burst: number): RateLimit => ({
  burst,
  refillMs: Math.ceil(minutes(1) / count),
  windowMax: Math.floor((count * windowMs) / minutes(1)),
  windowMs,
})

/** The limits of the HTTP contract, and the limits of `beginning` and `session-opening`. */
export const defaultRateLimits: RateLimits = {
  authentication: perMinute(10, hours(1), 20),
  beginning: perMinute(60, hours(1), 60),
  'device-registration': perMinute(5, minutes(15), 10),
  confirmation: perMinute(20, hours(1), 50),
  'device-management': perMinute(30, hours(1), 60),
  // At most 100 in any minute.
  'session-opening': perMinute(100, minutes(1), 100),
}
