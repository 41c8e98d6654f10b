import { setImmediate } from 'node:timers/promises'
import { createTestCountersign, type TestCountersign } from '@countersign/storage-sqlite/testing'
import { describe, expect, it } from 'vitest'
import { seconds } from '../../shared/clock.ts'
import { RateLimited } from '../../shared/errors.ts'
import { atOnce, gate } from '../../testing/contract/at-once.ts'
import { createTestUser, testPassword } from '../../testing/sign-in.ts'
import { InvalidCredentials } from '../authentication/errors.ts'
import { argon2Hasher } from '../hashing/argon2-hasher.ts'
import type { PasswordHasher } from '../hashing/hasher.ts'

/** A hasher with the concurrency of a large machine, which is more than the free failures. */
const manyAtOnce = () => argon2Hasher({ memoryKib: 8, passes: 1, concurrency: 32 })

const given = async (failures = 0) => {
  const test = await createTestCountersign({ passwords: manyAtOnce() })
  const { email } = await createTestUser(test)
  for (let failure = 0; failure < failures; failure += 1) await tryIt(test, email, 'not the password')
  return { test, email }
}

/** The parts that several processes of one service share. */
const sharing = ({ storage, clock, encryptionKeys }: TestCountersign) => ({ storage, clock, encryptionKeys })

const tryIt = async ({ countersign }: TestCountersign, email: string, password: string): Promise<unknown> =>
  countersign.auth.login({ email, password }).then(
    () => 'in',
    (error: unknown) => error,
  )

const outcomeOf = (outcome: unknown) => {
  if (outcome instanceof InvalidCredentials) return 'wrong'
  return outcome instanceof RateLimited ? outcome.retryAfterMs : outcome
}

/** Returns the number of concurrent attempts by outcome: `in`, `wrong`, or the delay in milliseconds. */
const crowd = async (test: TestCountersign, email: string, count: number, password = 'not the password') => {
  const outcomes = await atOnce(count, () => tryIt(test, email, password))
  const tally: Record<string, number> = {}
  for (const outcome of outcomes.map(outcomeOf)) tally[String(outcome)] = (tally[String(outcome)] ?? 0) + 1
  return tally
}

describe('of concurrent wrong passwords for one account', () => {
  it('twenty are checked, and the others must wait', async () => {
    const { test, email } = await given()
    expect(await crowd(test, email, 100)).toStrictEqual({ wrong: 20, [seconds(30)]: 80 })
  })

  it('one is checked after each delay, so that a crowd causes the same delay as a single client', async () => {
    const { test, email } = await given(20)
    for (const wait of [30, 60, 120].map(seconds)) {
      test.clock.advance(wait)
      expect(await crowd(test, email, 20)).toStrictEqual({ wrong: 1, [wait * 2]: 19 })
    }
  })

  it('the same number is checked if no user has the account', async () => {
    const { test } = await given()
    expect(await crowd(test, 'nobody@example.test', 100)).toStrictEqual({ wrong: 20, [seconds(30)]: 80 })
  })

  it('several processes together check the same number', async () => {
    const { test, email } = await given()
    const other = await createTestCountersign({ ...sharing(test), passwords: manyAtOnce() })
    const [here, there] = await Promise.all([crowd(test, email, 50), crowd(other, email, 50)])
    expect((here.wrong ?? 0) + (there.wrong ?? 0)).toBe(20)
    test.clock.advance(seconds(30))
    const [hereThen, thereThen] = await Promise.all([crowd(test, email, 20), crowd(other, email, 20)])
    expect((hereThen.wrong ?? 0) + (thereThen.wrong ?? 0)).toBe(1)
  })
})

describe('of concurrent right passwords for one account', () => {
  it.each([
    ['never failed', 0],
    ['failed nineteen times', 19],
  ])('all log in if the account %s', async (_, failures) => {
    const { test, email } = await given(failures)
    expect(await crowd(test, email, 20, testPassword)).toStrictEqual({ in: 20 })
    expect(await crowd(test, email, 60, testPassword)).toStrictEqual({ in: 60 })
    expect(await test.countersign.sessions.list({ email })).toHaveLength(80)
  })

  it('all log in after the delay is over, and leave no failures', async () => {
    const { test, email } = await given(20)
    test.clock.advance(seconds(30))
    expect(await crowd(test, email, 20, testPassword)).toStrictEqual({ in: 20 })
    expect(await crowd(test, email, 40)).toStrictEqual({ wrong: 20, [seconds(30)]: 20 })
  })

  it('a login that arrives during the check of another waits for the result, and then succeeds', async () => {
    const hasher = manyAtOnce()
    const [begun, done] = [gate(), gate()]
    const slow: PasswordHasher = {
      ...hasher,
      verify: (stored, password, guard) =>
        hasher.verify(stored, password, async () => {
          await guard?.()
          begun.open()
          await done.passed
        }),
    }
    const { test, email } = await given(19)
    const same = await createTestCountersign({ ...sharing(test), passwords: slow })
    const first = tryIt(same, email, testPassword)
    await begun.passed
    const others = crowd(same, email, 5, testPassword)
    await setImmediate()
    done.open()
    expect(await first).toBe('in')
    expect(await others).toStrictEqual({ in: 5 })
  })
})
