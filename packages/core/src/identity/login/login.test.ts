import { createTestCountersign, createTestStorage, type TestCountersign } from '@countersign/storage-sqlite/testing'
import { decodeJwt } from 'jose'
import { describe, expect, it } from 'vitest'
import { Invalid, Unavailable } from '../../shared/errors.ts'
import type { FullStorage } from '../../storage.ts'
import { gate } from '../../testing/contract/at-once.ts'
import { createTestUser, testPassword } from '../../testing/sign-in.ts'
import { cheapHasher } from '../../testing/test-keys.ts'
import { InvalidCredentials } from '../authentication/errors.ts'
import { argon2Hasher } from '../hashing/argon2-hasher.ts'
import type { PasswordHasher } from '../hashing/hasher.ts'

/** A hasher that records each call, and runs a callback during a check. */
const watchedHasher = (hasher = cheapHasher()) => {
  const verified: (string | null)[] = []
  const meanwhile: { do: () => Promise<unknown> } = { do: async () => {} }
  let hashed = 0
  const watched: PasswordHasher = {
    ...hasher,
    hash: (password) => {
      hashed += 1
      return hasher.hash(password)
    },
    verify: async (stored, password, guard) => {
      verified.push(stored)
      const matches = await hasher.verify(stored, password, guard)
      await meanwhile.do()
      return matches
    },
  }
  return { hasher: watched, verified, meanwhile, hashed: () => hashed }
}

/** A hasher whose queue is full until the test frees it. */
const fullHasher = () => {
  const hasher = argon2Hasher({ memoryKib: 8, passes: 1, longestWaitMs: 0 })
  const { passed, open } = gate()
  const hashing = hasher.verify(null, testPassword, () => passed)
  const free = async () => {
    open()
    await hashing
  }
  return { hasher, free }
}

const loginTo =
  ({ countersign }: TestCountersign) =>
  (email: string, password = testPassword) =>
    countersign.auth.login({ email, password })

describe('a login', () => {
  it('opens a session that authenticates the user', async () => {
    const test = await createTestCountersign()
    const user = await createTestUser(test, { permissions: ['project.read'] })
    const { accessToken } = await loginTo(test)(user.email)
    expect(await test.countersign.auth.authenticate({ token: accessToken })).toStrictEqual({
      userId: user.id,
      directoryId: null,
      email: user.email,
      permissions: ['project.read'],
      sessionId: expect.any(String),
      tokenUse: 'access',
      deviceId: null,
      passkeyId: null,
      trustLevel: 'standard',
      tenants: null,
    })
  })

  it('refuses an unknown user, a wrong password, a disabled user and a user without password with the same error, after the same work', async () => {
    const watched = watchedHasher()
    const test = await createTestCountersign({ passwords: watched.hasher })
    const known = await createTestUser(test)
    const withoutPassword = await createTestUser(test, { password: undefined })
    const disabled = await createTestUser(test)
    await test.countersign.users.disable({ email: disabled.email })
    const hashedBefore = watched.hashed()

    const refusals: unknown[] = []
    for (const [email, password] of [
      ['nobody@example.test', testPassword],
      [known.email, 'not the password'],
      [disabled.email, testPassword],
      [disabled.email, 'not the password'],
      [withoutPassword.email, testPassword],
    ] as const) {
      const verifiedBefore = watched.verified.length
      refusals.push(await loginTo(test)(email, password).catch((error: unknown) => error))
      expect(watched.verified.length - verifiedBefore).toBe(1)
    }
    for (const refusal of refusals) {
      expect(refusal).toBeInstanceOf(InvalidCredentials)
      expect(refusal).toMatchObject({ message: 'Invalid email or password', code: 'invalid_credentials' })
      expect(refusal).toStrictEqual(refusals[0])
    }
    expect(watched.hashed()).toBe(hashedBefore)
    expect(await test.countersign.sessions.list({ email: disabled.email })).toStrictEqual([])
  })

  it.each([
    ['another case', 'ADA.LOVELACE@EXAMPLE.TEST'],
    ['full-width letters', 'ａｄａ.lovelace@example.test'],
    ['both', 'ＡＤＡ.Lovelace@Example.Test'],
  ])('accepts the email in %s', async (_, spelling) => {
    const test = await createTestCountersign()
    const user = await createTestUser(test, { email: 'ada.lovelace@example.test' })
    const { accessToken } = await loginTo(test)(spelling)
    expect(await test.countersign.auth.authenticate({ token: accessToken })).toMatchObject({ userId: user.id })
  })

  it('compares the exact password: not trimmed, not truncated, case-sensitive', async () => {
    const test = await createTestCountersign()
    const password = ` ${'p'.repeat(126)} `
    const { email } = await createTestUser(test, { password })
    await expect(loginTo(test)(email, password)).resolves.toBeDefined()
    for (const other of [password.trim(), password.slice(0, -1), password.toUpperCase(), `${password} `]) {
      await expect(loginTo(test)(email, other)).rejects.toThrow(InvalidCredentials)
    }
  })

  it('names the field that is missing', async () => {
    const { countersign } = await createTestCountersign()
    await expect(countersign.auth.login({ email: '', password: testPassword })).rejects.toThrow(
      new Invalid({ email: 'must be an email address' }),
    )
    await expect(countersign.auth.login({ email: 'ada@example.test', password: '' })).rejects.toThrow(
      new Invalid({ password: 'must be text of 1 to 1024 characters' }),
    )
  })

  it('is refused as Unavailable if too many hashes are waiting', async () => {
    const test = await createTestCountersign({ passwords: argon2Hasher({ memoryKib: 8, passes: 1, longestWaitMs: 4 }) })
    const outcomes = await Promise.allSettled(Array.from({ length: 20 }, () => loginTo(test)('nobody@example.test')))
    const reasons = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []))
    expect(reasons.filter((reason) => reason instanceof InvalidCredentials)).toHaveLength(5)
    expect(reasons.filter((reason) => reason instanceof Unavailable)).toHaveLength(15)
  })

  it('is refused as Unavailable before any look-up', async () => {
    const { hasher, free } = fullHasher()
    const memory = await createTestStorage()
    const lookedUp: string[] = []
    const noted =
      <I extends readonly unknown[], T>(what: string, find: (...input: I) => Promise<T>) =>
      (...input: I): Promise<T> => {
        lookedUp.push(what)
        return find(...input)
      }
    const storage: FullStorage = {
      ...memory,
      users: { ...memory.users, byEmail: noted('user', memory.users.byEmail) },
      loginFailures: {
        ...memory.loginFailures,
        of: noted('failures', memory.loginFailures.of),
        reserve: noted('one more failure', memory.loginFailures.reserve),
      },
    }
    const login = loginTo(await createTestCountersign({ passwords: hasher, storage }))
    await expect(login('nobody@example.test')).rejects.toThrow(Unavailable)
    expect(lookedUp).toStrictEqual([])

    await free()
    await expect(login('nobody@example.test')).rejects.toThrow(InvalidCredentials)
    expect(lookedUp).toStrictEqual(['failures', 'user', 'one more failure'])
  })

  it('is refused as Unavailable by a hasher without ensureRoom', async () => {
    const { hasher, free } = fullHasher()
    const { ensureRoom: _, ...passwords } = hasher
    await expect(loginTo(await createTestCountersign({ passwords }))('nobody@example.test')).rejects.toThrow(Unavailable)
    await free()
  })
})

describe('a login during whose password check the user changes', () => {
  const given = async () => {
    const watched = watchedHasher()
    const test = await createTestCountersign({ passwords: watched.hasher })
    const { email } = await createTestUser(test)
    return { test, email, meanwhile: watched.meanwhile }
  }

  it('opens no session for a user who is disabled', async () => {
    const { test, email, meanwhile } = await given()
    meanwhile.do = () => test.countersign.users.disable({ email })
    await expect(loginTo(test)(email)).rejects.toThrow(InvalidCredentials)
    expect(await test.countersign.sessions.list({ email })).toStrictEqual([])
  })

  it('opens a session for a user who is disabled and enabled again', async () => {
    const { test, email, meanwhile } = await given()
    meanwhile.do = async () => {
      await test.countersign.users.disable({ email })
      await test.countersign.users.enable({ email })
    }
    await loginTo(test)(email)
    expect(await test.countersign.sessions.list({ email })).toHaveLength(1)
  })

  it('opens a session with a newly granted permission', async () => {
    const { test, email, meanwhile } = await given()
    meanwhile.do = () => test.countersign.users.grant({ email, permissions: ['project.read'] })
    const { accessToken } = await loginTo(test)(email)
    expect((await test.countersign.auth.authenticate({ token: accessToken })).permissions).toStrictEqual(['project.read'])
    expect(decodeJwt(accessToken).permissions).toStrictEqual(['project.read'])
  })

  it('opens no session if the password changes', async () => {
    const { test, email, meanwhile } = await given()
    meanwhile.do = () => test.countersign.users.setPassword({ email, password: 'a password of tomorrow' })
    await expect(loginTo(test)(email)).rejects.toThrow(InvalidCredentials)
    expect(await test.countersign.sessions.list({ email })).toStrictEqual([])
  })
})

describe('a password hash with weaker parameters', () => {
  const weak = () => argon2Hasher({ memoryKib: 8, passes: 1 })
  const strong = () => argon2Hasher({ memoryKib: 16, passes: 2 })
  const hashOf = async ({ storage }: TestCountersign, email: string) => (await storage.users.byEmail(email))?.passwordHash ?? ''

  it('is replaced by a stronger hash of the same password at login', async () => {
    const before = await createTestCountersign({ passwords: weak() })
    const { email } = await createTestUser(before)
    const test = await createTestCountersign({ storage: before.storage, passwords: strong() })
    await loginTo(test)(email)
    expect(await hashOf(test, email)).toMatch(/^\$argon2id\$v=19\$m=16,t=2,p=1\$/)
    await expect(loginTo(test)(email)).resolves.toBeDefined()
  })

  it('stays unchanged after a wrong password', async () => {
    const before = await createTestCountersign({ passwords: weak() })
    const { email } = await createTestUser(before)
    const test = await createTestCountersign({ storage: before.storage, passwords: strong() })
    await expect(loginTo(test)(email, 'not the password')).rejects.toThrow(InvalidCredentials)
    expect(await hashOf(test, email)).toMatch(/^\$argon2id\$v=19\$m=8,t=1,p=1\$/)
  })

  it('is not replaced if it is strong enough', async () => {
    const test = await createTestCountersign({ passwords: strong() })
    const { email } = await createTestUser(test)
    const before = await hashOf(test, email)
    await loginTo(test)(email)
    expect(await hashOf(test, email)).toBe(before)
  })

  it('does not fail the login if the stronger hash cannot be made', async () => {
    const before = await createTestCountersign({ passwords: weak() })
    const { email } = await createTestUser(before)
    const passwords = { ...strong(), hash: () => Promise.reject(new Unavailable('Too many logins at once')) }
    const test = await createTestCountersign({ storage: before.storage, passwords })
    await expect(loginTo(test)(email)).resolves.toBeDefined()
    expect(test.logger.entries).toStrictEqual([
      { level: 'warn', event: 'password_hash_not_upgraded', fields: { userId: 1, reason: 'Unavailable' } },
    ])
  })
})
