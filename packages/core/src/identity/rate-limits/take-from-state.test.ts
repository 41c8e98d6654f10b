import { describe, expect, it } from 'vitest'
import { minutes, seconds } from '../../shared/clock.ts'
import { expectTextbookDecisions } from '../../testing/contract/identity/rate-limit-traces.ts'
import { giveBackToState, idleFrom, takeFromState } from './bucket.ts'
import type { RateLimit, RateLimitState } from './store.ts'

const now = 1_000_000_000
const limit: RateLimit = { burst: 2, refillMs: 1000, windowMax: 3, windowMs: minutes(1) }

/** Takes at each of these times. Returns the last state, and whether each request was allowed. */
const takeAll = (times: readonly number[], from?: RateLimitState) => {
  let state = from
  const allowed = times.map((at) => {
    const { decision, next } = takeFromState(limit, state, at)
    state = next ?? state
    return decision.allowed
  })
  return { state, allowed }
}

describe('the state of a rate limit', () => {
  it('starts with a full bucket, and remembers each allowed request', () => {
    expect(takeFromState(limit, undefined, now).next).toStrictEqual({ fullAt: now + 1000, allowedAt: [now] })
  })

  it('stays as it is if a request is refused', () => {
    const { state } = takeAll([now, now])
    expect(takeFromState(limit, state, now)).toMatchObject({ decision: { allowed: false, refusedBy: 'burst' }, next: undefined })
  })

  it('stores at most the requests that the window allows, and none from more than an hour before the window', () => {
    const { state } = takeAll([now, now + 1000, now + 2000, now + minutes(1)])
    expect(state?.allowedAt).toStrictEqual([now + 1000, now + 2000, now + minutes(1)])
    expect(takeAll([now, now + minutes(61) - 1]).state?.allowedAt).toStrictEqual([now, now + minutes(61) - 1])
    expect(takeAll([now, now + minutes(61)]).state?.allowedAt).toStrictEqual([now + minutes(61)])
  })

  it('keeps its times in order if the clock steps back', () => {
    const { next } = takeFromState(limit, { fullAt: now, allowedAt: [now + 3000] }, now + 2500)
    expect(next?.allowedAt).toStrictEqual([now + 2500, now + 3000])
    expect(takeAll([now, now, now - seconds(30)]).allowed).toStrictEqual([true, true, false])
  })

  it('drops times that a clock far ahead has stored, also if the request is refused', () => {
    const leapt: RateLimitState = { fullAt: now + minutes(90), allowedAt: [now, now, now, now + minutes(90)] }
    const { decision, next } = takeFromState(limit, leapt, now)
    expect(decision).toMatchObject({ allowed: false, refusedBy: 'window' })
    expect(next).toStrictEqual({ fullAt: now, allowedAt: [now, now, now] })
  })

  it('is moved to the present if a clock was ahead by less than a window, also if the request is refused', () => {
    const { state } = takeAll([now + 20_000, now + 20_000])
    const { decision, next } = takeFromState(limit, state, now)
    expect(decision).toMatchObject({ allowed: false, refusedBy: 'burst', retryAfterMs: 1000 })
    expect(next).toStrictEqual({ fullAt: now + 2000, allowedAt: [now, now] })
    expect(takeFromState(limit, next, now + 1000).decision.allowed).toBe(true)
  })

  it('is as if a request that is given back had never been made, also if later requests follow', () => {
    const { state } = takeAll([now, now + 100])
    expect(giveBackToState(limit, state as RateLimitState, now)).toStrictEqual({ fullAt: now + 1100, allowedAt: [now + 100] })
    expect(giveBackToState(limit, state as RateLimitState, now + 100)).toStrictEqual({ fullAt: now + 1000, allowedAt: [now] })
    expect(giveBackToState(limit, state as RateLimitState, now + 1)).toBeUndefined()
  })

  it('gets back only what the bucket has not refilled meanwhile', () => {
    const { state } = takeAll([now, now + 5000])
    expect(giveBackToState(limit, state as RateLimitState, now)).toStrictEqual({ fullAt: now + 6000, allowedAt: [now + 5000] })
  })

  it('is idle when the bucket is full and the window is empty', () => {
    const { state } = takeAll([now, now + 500])
    expect(idleFrom(limit, state as RateLimitState)).toBe(now + 500 + minutes(1))
    expect(idleFrom({ ...limit, windowMs: 1 }, { fullAt: now, allowedAt: [] })).toBe(now + 1)
  })
})

it('a state makes the same decisions as a textbook algorithm in 10,000 random traces', async () => {
  const states = new Map<string, RateLimitState>()
  await expectTextbookDecisions({
    take: async (key, limit, at) => {
      const { decision, next } = takeFromState(limit, states.get(key), at)
      if (next !== undefined) states.set(key, next)
      return decision
    },
    giveBack: async () => {},
    read: async (key) => states.get(key),
  })
})
