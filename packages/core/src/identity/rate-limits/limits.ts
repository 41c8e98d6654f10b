import {
  type OptionalRateLimitCategory,
  optionalRateLimitCategories,
  type RateLimitCategory,
  rateLimitCategories,
} from '@countersign/contract'
import { hours, minutes } from '../../shared/clock.ts'
import { Invalid } from '../../shared/errors.ts'
import type { RateLimit } from './store.ts'

/**
 * The limit of each category of requests: see `perMinute`. `confirmation-reading` (the status of a confirmation, and what is
 * pending), `projects`, `internal` and `health` have none where they are left out, as they are by default.
 */
export type RateLimits = Readonly<Record<RateLimitCategory, RateLimit> & Partial<Record<OptionalRateLimitCategory, RateLimit>>>

const categories: ReadonlySet<unknown> = new Set([...rateLimitCategories, ...optionalRateLimitCategories])

/** @throws Invalid for what is no category */
export const requireCategory = (category: unknown): void => {
  if (!categories.has(category)) throw new Invalid({ category: `must be one of ${[...categories].join(', ')}` })
}

/** What the requests of a category are held to; `undefined` where nothing limits them. */
export const limitOf = (rateLimits: RateLimits | 'off', category: keyof RateLimits): RateLimit | undefined =>
  rateLimits === 'off' ? undefined : rateLimits[category]

/** Whether requests of the category are limited at all. @throws Invalid for what is no category */
export const hasRateLimit = (rateLimits: RateLimits | 'off', category: keyof RateLimits): boolean => {
  requireCategory(category)
  return limitOf(rateLimits, category) !== undefined
}

/**
 * `count` a minute, refilled evenly up to `burst`, and at most `count` for each minute of the window. The refill is
 * rounded up to a whole millisecond, so that it is never faster than said.
 */
export const perMinute = (count: number, windowMs: number, burst: number): RateLimit => ({
  burst,
  refillMs: Math.ceil(minutes(1) / count),
  windowMax: Math.floor((count * windowMs) / minutes(1)),
  windowMs,
})

/** The limits that the contract names. */
export const defaultRateLimits: RateLimits = {
  authentication: perMinute(10, hours(1), 20),
  'device-registration': perMinute(5, minutes(15), 10),
  confirmation: perMinute(20, hours(1), 50),
  'device-management': perMinute(30, hours(1), 60),
}
