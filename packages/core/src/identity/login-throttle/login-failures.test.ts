import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { minutes, seconds } from '../../shared/clock.ts'
import { ceilingFullFrom, loginCeiling, loginWaits, waitAfterFailures, waitForCeiling } from './login-failures.ts'

const lastAt = 1_000_000
const waitAfter = (count: number, now = lastAt) => waitAfterFailures({ count, lastAt }, loginWaits, now)

describe('the delay after failed logins', () => {
  it('is 0 without a failure', () => {
    expect(waitAfterFailures({ count: 0, lastAt: 0 }, loginWaits, lastAt)).toBe(0)
  })

  it('is 0 for the first 19 failures, so that 20 attempts are free', () => {
    for (let count = 1; count < 20; count += 1) expect(waitAfter(count)).toBe(0)
  })

  it('is 30 seconds after the twentieth failure, and doubles with each further failure up to 15 minutes', () => {
    expect([20, 21, 22, 23, 24, 25, 26].map((count) => waitAfter(count))).toStrictEqual([
      seconds(30),
      seconds(60),
      seconds(120),
      seconds(240),
      seconds(480),
      minutes(15),
      minutes(15),
    ])
  })

  it('ends at the exact millisecond', () => {
    expect(waitAfter(20, lastAt + seconds(30) - 1)).toBe(1)
    expect(waitAfter(20, lastAt + seconds(30))).toBe(0)
    expect(waitAfter(20, lastAt + minutes(60))).toBe(0)
  })

  it('is never longer than 15 minutes, however many failures there were', () => {
    fc.assert(
      fc.property(fc.nat(), fc.nat({ max: minutes(30) }), (count, elapsed) => {
        const wait = waitAfter(count, lastAt + elapsed)
        expect(wait).toBeGreaterThanOrEqual(0)
        expect(elapsed + wait).toBeLessThanOrEqual(Math.max(elapsed, minutes(15)))
      }),
    )
    expect(waitAfter(Number.MAX_SAFE_INTEGER)).toBe(minutes(15))
  })

  it('is 0 if the clock was set back, so that the failure is far in the future', () => {
    expect(waitAfter(20, lastAt - minutes(15))).toBe(minutes(15) + seconds(30))
    expect(waitAfter(20, lastAt - minutes(15) - 1)).toBe(0)
  })
})

describe('the ceiling of an account', () => {
  const now = 1_000_000_000
  const waitAt = (fullAt: number) => waitForCeiling(fullAt, loginCeiling, now)

  it('allows a hundred attempts, and one more each minute', () => {
    expect(waitAt(0)).toBe(0)
    expect(waitAt(now + minutes(99))).toBe(0)
    expect(waitAt(now + minutes(99) + 1)).toBe(1)
    expect(waitAt(now + minutes(100))).toBe(minutes(1))
  })

  it('allows again fifteen times as many attempts as one client can make', () => {
    expect(loginWaits.longest / loginCeiling.refillMs).toBe(15)
  })

  it('is full if the clock was set back, so that its time is far in the future', () => {
    expect(waitAt(now + minutes(200))).toBe(minutes(101))
    expect(waitAt(now + minutes(200) + 1)).toBe(0)
    expect(ceilingFullFrom(now + minutes(200) + 1, loginCeiling, now)).toBe(now)
  })
})
