import { createTestCountersign, createTestStorage, type TestCountersign } from '@countersign/storage-sqlite/testing'
import { describe, expect, it } from 'vitest'
import { seconds } from '../../shared/clock.ts'
import { RateLimited, Unavailable } from '../../shared/errors.ts'
import type { FullStorage } from '../../storage.ts'
import { createTestUser, testPassword } from '../../testing/sign-in.ts'
import { cheapHasher } from '../../testing/test-keys.ts'
import { InvalidCredentials } from '../authentication/errors.ts'
import type { PasswordHasher } from '../hashing/hasher.ts'

const attempt = ({ countersign }: TestCountersign, email: string, password = 'not the password'): Promise<unknown> =>
  countersign.auth.login({ email, password }).catch((error: unknown) => error)

const failTimes = async (test: TestCountersign, email: string, times: number): Promise<void> => {
  for (let time = 0; time < times; time += 1) expect(await attempt(test, email)).toBeInstanceOf(InvalidCredentials)
}

/** A database and a hasher that a test can make unavailable. */
const given = async () => {
  const memory = await createTestStorage()
  const away = { transactions: false, givingBack: false, hashing: false }
  const unlessAway = <T>(what: keyof typeof away, work: () => Promise<T>): Promise<T> =>
    away[what] ? Promise.reject(new Unavailable()) : work()
  const storage: FullStorage = {
    ...memory,
    transaction: (work) => unlessAway('transactions', () => memory.transaction(work)),
    loginFailures: {
      ...memory.loginFailures,
      giveBack: (...given) => unlessAway('givingBack', () => memory.loginFailures.giveBack(...given)),
    },
  }
  const hasher = cheapHasher()
  const passwords: PasswordHasher = {
    ...hasher,
    verify: async (stored, password, guard) => {
      await guard?.()
      return unlessAway('hashing', () => hasher.verify(stored, password))
    },
  }
  const test = await createTestCountersign({ storage, passwords })
  const { email } = await createTestUser(test)
  return { test, email, away }
}

describe('a login that fails for another reason than the password', () => {
  it.each(['hashing', 'transactions'] as const)('does not count as a failure while %s is unavailable', async (what) => {
    const { test, email, away } = await given()
    await failTimes(test, email, 19)
    away[what] = true
    for (let time = 0; time < 20; time += 1) expect(await attempt(test, email, testPassword)).toBeInstanceOf(Unavailable)
    away[what] = false
    expect(await attempt(test, email, testPassword)).toMatchObject({ accessToken: expect.any(String) })
  })

  it('causes no second delay for a client that has waited', async () => {
    const { test, email, away } = await given()
    await failTimes(test, email, 20)
    test.clock.advance(seconds(30))
    away.transactions = true
    expect(await attempt(test, email, testPassword)).toBeInstanceOf(Unavailable)
    away.transactions = false
    await failTimes(test, email, 1)
    expect(await attempt(test, email)).toMatchObject({ kind: 'rate_limited', retryAfterMs: seconds(60) })
  })

  it('counts as one failure, reports its own error, and is logged, if the undo fails too', async () => {
    const { test, email, away } = await given()
    await failTimes(test, email, 18)
    Object.assign(away, { transactions: true, givingBack: true })
    expect(await attempt(test, email, testPassword)).toBeInstanceOf(Unavailable)
    Object.assign(away, { transactions: false, givingBack: false })
    await failTimes(test, email, 1)
    expect(await attempt(test, email)).toBeInstanceOf(RateLimited)
    expect(test.logger.entries.filter(({ level }) => level === 'warn')).toStrictEqual([
      { level: 'warn', event: 'login_try_not_given_back', fields: { reason: 'Unavailable' } },
    ])
  })

  it('counts as a failure if the password was wrong, whatever is unavailable', async () => {
    const { test, email, away } = await given()
    away.transactions = true
    await failTimes(test, email, 20)
    away.transactions = false
    expect(await attempt(test, email, testPassword)).toMatchObject({ kind: 'rate_limited', retryAfterMs: seconds(30) })
  })
})

describe('a login with the right password', () => {
  it('counts as a failure if the user is disabled', async () => {
    const { test, email } = await given()
    await test.countersign.users.disable({ email })
    for (let time = 0; time < 20; time += 1) {
      expect(await attempt(test, email, testPassword)).toBeInstanceOf(InvalidCredentials)
    }
    expect(await attempt(test, email, testPassword)).toMatchObject({ kind: 'rate_limited', retryAfterMs: seconds(30) })
  })

  it('resets the failures in the transaction that opens the session', async () => {
    const { test, email, away } = await given()
    await failTimes(test, email, 10)
    Object.assign(away, { transactions: true })
    expect(await attempt(test, email, testPassword)).toBeInstanceOf(Unavailable)
    Object.assign(away, { transactions: false })
    await failTimes(test, email, 10)
    expect(await attempt(test, email)).toBeInstanceOf(RateLimited)
  })
})

it('an attempt counts even if the hasher does not call its guard', async () => {
  const hasher = cheapHasher()
  const test = await createTestCountersign({
    passwords: { ...hasher, verify: (stored, password) => hasher.verify(stored, password) },
  })
  const { email } = await createTestUser(test)
  await failTimes(test, email, 20)
  expect(await attempt(test, email, testPassword)).toMatchObject({ kind: 'rate_limited', retryAfterMs: seconds(30) })
})

it('the directory of a host is not queried for a delayed account', async () => {
  const asked: string[] = []
  const users = {
    byEmail: async (email: string) => {
      asked.push(email)
      return undefined
    },
    byId: async () => undefined,
  }
  const test = await createTestCountersign({ users })
  await failTimes(test, 'nobody@example.test', 20)
  expect(asked).toHaveLength(20)
  expect(await attempt(test, 'nobody@example.test')).toBeInstanceOf(RateLimited)
  expect(asked).toHaveLength(20)
})
