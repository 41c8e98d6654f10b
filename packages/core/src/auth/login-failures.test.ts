import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { minutes, seconds } from '../ports/clock.ts'
import { loginWaits, waitAfterFailures } from './login-failures.ts'

const lastAt = 1_000_000
const waitAfter = (count: number, now = lastAt) => waitAfterFailures({ count, lastAt }, loginWaits, now)

describe('the wait after failed logins', () => {
  it('is none without a failure', () => {
    expect(waitAfterFailures(undefined, loginWaits, lastAt)).toBe(0)
  })

  it('is none for the first nine, so that there are ten free tries', () => {
    for (let count = 1; count < 10; count += 1) expect(waitAfter(count)).toBe(0)
  })

  it('is 30 seconds after the tenth, and doubles with each further one up to 15 minutes', () => {
    expect([10, 11, 12, 13, 14, 15, 16].map((count) => waitAfter(count))).toStrictEqual([
      seconds(30),
      seconds(60),
      seconds(120),
      seconds(240),
      seconds(480),
      minutes(15),
      minutes(15),
    ])
  })

  it('runs off, to the millisecond', () => {
    expect(waitAfter(10, lastAt + seconds(30) - 1)).toBe(1)
    expect(waitAfter(10, lastAt + seconds(30))).toBe(0)
    expect(waitAfter(10, lastAt + minutes(60))).toBe(0)
  })

  it('is never longer than 15 minutes from the last failure, however many there were', () => {
    fc.assert(
      fc.property(fc.nat(), fc.nat({ max: minutes(30) }), (count, elapsed) => {
        const wait = waitAfter(count, lastAt + elapsed)
        expect(wait).toBeGreaterThanOrEqual(0)
        expect(elapsed + wait).toBeLessThanOrEqual(Math.max(elapsed, minutes(15)))
      }),
    )
    expect(waitAfter(Number.MAX_SAFE_INTEGER)).toBe(minutes(15))
  })
})
