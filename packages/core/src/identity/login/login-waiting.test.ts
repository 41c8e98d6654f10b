import { createTestCountersign, type TestCountersign } from '@countersign/storage-sqlite/testing'
import { beforeEach, describe, expect, it } from 'vitest'
import { SWEEP_MARGIN } from '../../retention.ts'
import { minutes, seconds } from '../../shared/clock.ts'
import { RateLimited } from '../../shared/errors.ts'
import { createTestUser, registerTestDevice, signIn, signInByDevice, testPassword } from '../../testing/sign-in.ts'
import { InvalidCredentials } from '../authentication/errors.ts'

const attempt = ({ countersign }: TestCountersign, email: string, password = 'not the password'): Promise<unknown> =>
  countersign.auth.login({ email, password }).catch((error: unknown) => error)

const failTimes = async (test: TestCountersign, email: string, times: number): Promise<void> => {
  for (let time = 0; time < times; time += 1) expect(await attempt(test, email)).toBeInstanceOf(InvalidCredentials)
}

/** Returns the current delay of the account, as a refused login reports it. */
const waitOf = async (test: TestCountersign, email: string): Promise<number> => {
  const outcome = await attempt(test, email, testPassword)
  return outcome instanceof RateLimited ? outcome.retryAfterMs : 0
}

let test: TestCountersign
beforeEach(async () => {
  test = await createTestCountersign()
})

describe('after consecutive wrong passwords', () => {
  it('the first twenty cause no delay', async () => {
    const { email } = await createTestUser(test)
    await failTimes(test, email, 19)
    expect(await attempt(test, email, testPassword)).toMatchObject({ accessToken: expect.any(String) })
  })

  it('the twenty-first attempt is refused with the delay, even with the right password', async () => {
    const { email } = await createTestUser(test)
    await failTimes(test, email, 20)
    expect(await attempt(test, email)).toMatchObject({ kind: 'rate_limited', retryAfterMs: seconds(30) })
    test.clock.advance(seconds(10))
    expect(await attempt(test, email, testPassword)).toMatchObject({ kind: 'rate_limited', retryAfterMs: seconds(20) })
  })

  it('the delay ends at the exact millisecond, and the right password then logs in', async () => {
    const { email } = await createTestUser(test)
    await failTimes(test, email, 20)
    test.clock.advance(seconds(30) - 1)
    expect(await waitOf(test, email)).toBe(1)
    test.clock.advance(1)
    expect(await attempt(test, email, testPassword)).toMatchObject({ accessToken: expect.any(String) })
  })

  it('each further failure doubles the delay, up to 15 minutes', async () => {
    const { email } = await createTestUser(test)
    await failTimes(test, email, 20)
    const waits: number[] = []
    for (let round = 0; round < 8; round += 1) {
      const wait = await waitOf(test, email)
      waits.push(wait)
      test.clock.advance(wait)
      await failTimes(test, email, 1)
    }
    expect(waits).toStrictEqual([30, 60, 120, 240, 480, 900, 900, 900].map(seconds))
  })

  it('refused attempts do not count as failures', async () => {
    const { email } = await createTestUser(test)
    await failTimes(test, email, 20)
    for (let time = 0; time < 20; time += 1) await attempt(test, email)
    expect(await waitOf(test, email)).toBe(seconds(30))
  })

  it('a login resets the count', async () => {
    const { email } = await createTestUser(test)
    await failTimes(test, email, 20)
    test.clock.advance(seconds(30))
    expect(await attempt(test, email, testPassword)).toMatchObject({ accessToken: expect.any(String) })
    await failTimes(test, email, 20)
    expect(await waitOf(test, email)).toBe(seconds(30))
  })

  it('an unknown account is delayed like a known account', async () => {
    await failTimes(test, 'nobody@example.test', 20)
    expect(await attempt(test, 'nobody@example.test')).toMatchObject({ kind: 'rate_limited', retryAfterMs: seconds(30) })
  })

  it('all spellings of one email count as one account', async () => {
    await createTestUser(test, { email: 'ada@example.test' })
    await failTimes(test, 'ADA@example.test', 10)
    await failTimes(test, 'ａda@example.test', 10)
    expect(await waitOf(test, 'ada@example.test')).toBe(seconds(30))
  })

  it('other accounts are not delayed', async () => {
    const { email } = await createTestUser(test)
    const other = await createTestUser(test)
    await failTimes(test, email, 20)
    expect(await attempt(test, other.email, testPassword)).toMatchObject({ accessToken: expect.any(String) })
  })

  it('the owner can still log in with a device, and open sessions stay valid', async () => {
    const user = await createTestUser(test)
    const { caller, tokens } = await signIn(test, user)
    const registered = await registerTestDevice(test, caller)
    await failTimes(test, user.email, 20)
    expect(await waitOf(test, user.email)).toBe(seconds(30))
    expect((await signInByDevice(test, registered)).caller).toMatchObject({ userId: user.id })
    await expect(test.countersign.auth.refresh({ refreshToken: tokens.refreshToken })).resolves.toBeDefined()
  })

  it('there is no delay if rate limits are off', async () => {
    const test = await createTestCountersign({ options: { rateLimits: 'off' } })
    const { email } = await createTestUser(test)
    await failTimes(test, email, 30)
    expect(await attempt(test, email, testPassword)).toMatchObject({ accessToken: expect.any(String) })
  })

  it('an existing delay ends when rate limits are switched off', async () => {
    const { email } = await createTestUser(test)
    await failTimes(test, email, 20)
    const unlimited = await createTestCountersign({ storage: test.storage, clock: test.clock, options: { rateLimits: 'off' } })
    expect(await attempt(unlimited, email, testPassword)).toMatchObject({ accessToken: expect.any(String) })
  })

  it('the failures and their share of the ceiling are swept a day after the last failure', async () => {
    await failTimes(test, 'nobody@example.test', 1)
    test.clock.advance(minutes(24 * 60 + 1) + SWEEP_MARGIN + 1)
    expect(await test.countersign.sweep()).toEqual({ loginFailures: 2 })
  })
})
