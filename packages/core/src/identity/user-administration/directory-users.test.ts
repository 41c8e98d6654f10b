import { createTestCountersign, createTestStorage, type TestCountersign } from '@countersign/storage-sqlite/testing'
import { beforeEach, describe, expect, it } from 'vitest'
import { seconds } from '../../shared/clock.ts'
import { Unavailable } from '../../shared/errors.ts'
import { describeUserDirectory } from '../../testing/contract/describe-user-directory.ts'
import { type MemoryDirectory, memoryDirectory } from '../../testing/memory-directory.ts'
import { registerTestPasskey, signInByPasskey } from '../../testing/passkeys.ts'
import { registerTestDevice, signInByDevice, testPassword } from '../../testing/sign-in.ts'
import { cheapHasher } from '../../testing/test-keys.ts'
import { InvalidCredentials } from '../authentication/errors.ts'
import { type UserDirectory, UserDirectoryMistake } from '../user-model/directory.ts'
import { UserNotFound, UsersKeptByHost } from '../user-model/errors.ts'

describeUserDirectory('in memory', async () => {
  const users = memoryDirectory()
  const permit = (id: string, permissions: readonly string[]) => users.change(id, { permissions })
  return { ...users, users, permit, storage: await createTestStorage() }
})

let directory: MemoryDirectory
let test: TestCountersign
let auth: TestCountersign['countersign']['auth']
let passwordHash: string
beforeEach(async () => {
  directory = memoryDirectory()
  test = await createTestCountersign({ users: directory })
  auth = test.countersign.auth
  passwordHash = await cheapHasher().hash(testPassword)
})

const ada = () => ({ email: 'ada@example.test', passwordHash, disabled: false })

const login = async (email: string, within = test) => {
  const tokens = await within.countersign.auth.login({ email, password: testPassword })
  return { tokens, caller: await within.countersign.auth.authenticate({ token: tokens.accessToken }) }
}

describe('a user of a directory', () => {
  it('gets a row with the data of the directory at the first login', async () => {
    test.clock.advance(seconds(5))
    const id = await directory.add({
      ...ada(),
      email: 'Ada@Example.test',
      name: 'Ada',
      department: { id: 'dep-1' },
      permissions: ['project.read', 'expense.*'],
    })
    const { caller } = await login('ADA@example.test')
    expect(await test.countersign.users.find({ email: 'ada@example.test' })).toStrictEqual({
      id: caller.userId,
      directoryId: id,
      email: 'ada@example.test',
      name: 'Ada',
      employee: { id: '', name: 'Ada', avatarFileId: '' },
      department: { id: 'dep-1', name: '' },
      permissions: ['expense.*', 'project.read'],
      hasPassword: true,
      disabledAt: null,
      lockedAt: null,
      createdAt: test.clock.now(),
      updatedAt: test.clock.now(),
    })
  })

  it('gets no row after a wrong password', async () => {
    const id = await directory.add(ada())
    await expect(auth.login({ email: ada().email, password: 'a wrong password' })).rejects.toThrow('Invalid email or password')
    expect(await test.storage.users.byDirectoryId(id)).toBeUndefined()
    await login(ada().email)
    const row = await test.storage.users.byDirectoryId(id)
    expect(row?.passwordHash).toMatch(/^directory:/)
    expect(JSON.stringify(row)).not.toContain(passwordHash)
  })

  it('keeps id, sessions and devices after a change of email and name, which takes effect at the next request', async () => {
    const id = await directory.add(ada())
    const { tokens, caller } = await login(ada().email)
    const registered = await registerTestDevice(test, caller)
    await directory.change(id, { email: 'countess@example.test', name: 'Countess' })
    expect(await auth.authenticate({ token: tokens.accessToken })).toStrictEqual({ ...caller, email: 'countess@example.test' })
    const mobile = await signInByDevice(test, registered)
    expect(mobile.caller).toMatchObject({ userId: caller.userId, email: 'countess@example.test' })
    await expect(login(ada().email)).rejects.toThrow('Invalid email or password')
    expect((await login('countess@example.test')).caller.userId).toBe(caller.userId)
  })

  it('has a changed permission of the directory immediately', async () => {
    const id = await directory.add({ ...ada(), permissions: ['a.read'] })
    const { tokens } = await login(ada().email)
    for (const permissions of [['b.read'], ['a.read', 'b.read'], []]) {
      await directory.change(id, { permissions })
      expect(await auth.authenticate({ token: tokens.accessToken })).toMatchObject({ permissions })
    }
  })

  it('can log in by a passkey, which is listed for the email', async () => {
    await directory.add(ada())
    const registered = await registerTestPasskey(test, (await login(ada().email)).caller)
    const { caller } = await signInByPasskey(test, registered.virtual)
    expect(caller.email).toBe(ada().email)
    const { publicKey } = await test.countersign.passkeys.beginLogin({ email: ada().email })
    expect(publicKey.allowCredentials.map(({ id }) => id)).toStrictEqual([registered.passkey.id])
  })

  it('gets decoy passkeys before the first login, like an unknown user', async () => {
    await directory.add(ada())
    for (const email of [ada().email, 'nobody@example.test']) {
      const { publicKey } = await test.countersign.passkeys.beginLogin({ email })
      expect(publicKey.allowCredentials).not.toStrictEqual([])
    }
    expect(await test.storage.users.byEmail(ada().email)).toBeUndefined()
  })

  it('can refresh tokens while the directory has the user', async () => {
    const id = await directory.add(ada())
    const { tokens } = await login(ada().email)
    const next = await auth.refresh({ refreshToken: tokens.refreshToken })
    await directory.change(id, { passwordHash: 'another' })
    await expect(auth.refresh({ refreshToken: next.refreshToken })).rejects.toThrow()
  })

  it('is refused with the error of the directory if the directory is unavailable', async () => {
    await directory.add(ada())
    const away: UserDirectory = {
      byEmail: () => Promise.reject(new Unavailable()),
      byId: () => Promise.reject(new Unavailable()),
    }
    const { tokens } = await login(ada().email)
    const elsewhere = (await createTestCountersign({ ...test, users: away })).countersign.auth
    await expect(elsewhere.authenticate({ token: tokens.accessToken })).rejects.toThrow(Unavailable)
    await expect(elsewhere.login({ email: ada().email, password: testPassword })).rejects.toThrow(Unavailable)
  })

  it('is unknown to a process without the directory, except for existing access tokens', async () => {
    await directory.add(ada())
    const { tokens, caller } = await login(ada().email)
    const registered = await registerTestDevice(test, caller)
    const without = await createTestCountersign({ ...test })
    await expect(login(ada().email, without)).rejects.toThrow('Invalid email or password')
    await expect(signInByDevice(without, registered)).rejects.toThrow('Invalid biometric token')
    await expect(without.countersign.auth.refresh({ refreshToken: tokens.refreshToken })).rejects.toThrow()
  })

  it('can be changed in the directory only', async () => {
    await directory.add(ada())
    await login(ada().email)
    const { users } = test.countersign
    const { email } = ada()
    for (const change of [
      () => users.create({ email: 'bob@example.test' }),
      () => users.disable({ email }),
      () => users.setPassword({ email, password: testPassword }),
      () => users.grant({ email, permissions: ['a.read'] }),
    ]) {
      await expect(change()).rejects.toStrictEqual(new UsersKeptByHost())
    }
  })
})

describe('the look-ups in a directory', () => {
  it('are the same before authentication, whichever user the email names', async () => {
    const id = await directory.add(ada())
    const asked: string[] = []
    const watched: UserDirectory = {
      byEmail: (email) => {
        asked.push('byEmail')
        return directory.byEmail(email)
      },
      byId: (given) => {
        asked.push('byId')
        return directory.byId(given)
      },
    }
    const within = await createTestCountersign({ ...test, users: watched })
    const askedFor = async (email: string) => {
      asked.length = 0
      const wrong = within.countersign.auth.login({ email, password: 'a wrong password' })
      await expect(wrong).rejects.toThrow('Invalid email or password')
      return [...asked]
    }
    expect(await askedFor(ada().email)).toStrictEqual(await askedFor('nobody@example.test'))
    await login(ada().email)
    await directory.change(id, { name: 'Another name' })
    expect(await askedFor(ada().email)).toStrictEqual(await askedFor('nobody@example.test'))
  })
})

describe('a host that reports a change', () => {
  it('ends the sessions of a disabled user before the next request', async () => {
    const id = await directory.add(ada())
    const { caller } = await login(ada().email)
    await directory.change(id, { disabled: true })
    expect(await test.countersign.users.sync({ directoryId: id })).toMatchObject({ disabledAt: test.clock.now() })
    expect(await test.storage.sessions.byId(caller.sessionId)).toMatchObject({ endReason: 'user_disabled' })
  })

  it('gets the id of a user who has never logged in', async () => {
    const id = await directory.add(ada())
    const profile = await test.countersign.users.sync({ directoryId: id })
    expect(profile).toMatchObject({ directoryId: id, email: ada().email })
    expect((await login(ada().email)).caller.userId).toBe(profile.id)
  })

  it('gets an error for an unknown user', async () => {
    const { users } = test.countersign
    await expect(users.sync({ directoryId: 'nobody' })).rejects.toStrictEqual(new UserNotFound())
    const disabled = await directory.add({ ...ada(), disabled: true })
    await expect(users.sync({ directoryId: disabled })).rejects.toStrictEqual(new UserNotFound())
    const without = (await createTestCountersign()).countersign
    await expect(without.users.sync({ directoryId: 'any' })).rejects.toStrictEqual(new UserNotFound())
  })
})

describe('invalid answers of a directory', () => {
  const mistaken = async (given: Partial<Awaited<ReturnType<UserDirectory['byId']>>>): Promise<unknown> => {
    const id = await directory.add(ada())
    const answer = async () => ({ ...ada(), id, ...given })
    const { countersign } = await createTestCountersign({ users: { byEmail: answer, byId: answer } })
    return countersign.users.sync({ directoryId: id }).catch((error: unknown) => error)
  }

  it.each([
    { email: 'no address' },
    { email: 'a\u2800da@example.test' },
    { permissions: ['everything'] },
    { id: '' },
    { id: 'x'.repeat(256) },
    { id: 'somebody-else' },
    { name: 'a\nb' },
  ])('are reported as a mistake of the host, not of the caller: %j', async (given) => {
    expect(await mistaken(given)).toBeInstanceOf(UserDirectoryMistake)
  })

  it.each(['no address', 'a\u034Fda@example.test', 'a\u{1D159}da@example.test'])(
    'do not reveal at a login or passkey login whether a user has the email %j',
    async (email) => {
      const answersFor = async () => ({
        login: await auth.login({ email, password: testPassword }).catch((error: unknown) => error),
        offer: (await test.countersign.passkeys.beginLogin({ email })).publicKey.allowCredentials,
      })
      const before = await answersFor()
      const id = await directory.add({ ...ada(), email })
      expect(await answersFor()).toStrictEqual(before)
      expect(before.login).toStrictEqual(new InvalidCredentials())
      const why = await test.countersign.users.sync({ directoryId: id }).catch((error: unknown) => error)
      expect(why).toBeInstanceOf(UserDirectoryMistake)
      expect(why).toMatchObject({ message: expect.stringMatching(/ whose email: must /) })
    },
  )

  it('never sign in a user by the email of another user', async () => {
    const id = await directory.add({ ...ada(), email: 'somebody@example.test' })
    const { countersign } = await createTestCountersign({ users: { ...directory, byEmail: () => directory.byId(id) } })
    await expect(countersign.auth.login({ email: ada().email, password: testPassword })).rejects.toThrow(
      'Invalid email or password',
    )
  })
})
