import { createTestCountersign, type TestCountersign } from '@countersign/storage-sqlite/testing'
import { describe, expect, it } from 'vitest'
import { minutes } from '../../shared/clock.ts'
import { aNewUser } from '../../testing/builders.ts'
import { permissionsOf } from '../../testing/claims-of-size.ts'
import { memoryDirectory } from '../../testing/memory-directory.ts'
import { registerTestDevice, signIn, signInByDevice, signInNewUser, testPassword } from '../../testing/sign-in.ts'
import { InvalidCredentials } from '../authentication/errors.ts'
import { UserDirectoryMistake } from '../user-model/directory.ts'
import { TokenTooLong } from './sign-token.ts'

/** More permissions than fit in a token. No operation grants so many, so a test writes them to the storage or the directory. */
const tooMany = permissionsOf(7000)

const setPermissions = async ({ storage, clock }: TestCountersign, email: string, permissions: readonly string[]) => {
  const user = await storage.users.byEmail(email)
  if (user === undefined) throw new Error('there is no such user')
  await storage.users.change(user.id, user.version, { permissions }, clock.now())
}

const logged = (userId: number) => ({
  level: 'error',
  event: 'token_too_long',
  fields: { userId, characters: expect.any(Number) },
})

describe('a stored user with too much data for a token', () => {
  const given = async () => {
    const test = await createTestCountersign()
    const passwordHash = await test.passwords.hash(testPassword)
    const [user] = await test.storage.users.create([aNewUser({ passwordHash, permissions: tooMany })])
    if (user === undefined) throw new Error('the email is taken')
    const login = (password = testPassword) => test.countersign.auth.login({ email: user.email, password })
    return { test, user, login }
  }

  it('cannot log in: no session is opened, and the log names the user', async () => {
    const { test, user, login } = await given()
    await expect(login()).rejects.toThrow(TokenTooLong)
    expect(test.logger.entries).toStrictEqual([logged(user.id)])
    expect(await test.countersign.sessions.list({ email: user.email })).toStrictEqual([])
  })

  it('gets the usual error for a wrong password', async () => {
    const { test, user, login } = await given()
    await expect(login('not the password')).rejects.toThrow(InvalidCredentials)
    const fields = { reason: 'password', userId: user.id }
    expect(test.logger.entries).toStrictEqual([{ level: 'info', event: 'login_refused', fields }])
  })

  it('is not delayed, and can log in once there is less data', async () => {
    const { test, user, login } = await given()
    for (let time = 0; time < 12; time += 1) await expect(login()).rejects.toThrow(TokenTooLong)
    await test.countersign.users.revoke({ email: user.email, permissions: tooMany.slice(100) })
    await expect(login()).resolves.toBeDefined()
  })

  it('cannot log in by a device either', async () => {
    const test = await createTestCountersign()
    const { user, caller } = await signInNewUser(test)
    const registered = await registerTestDevice(test, caller)
    await setPermissions(test, user.email, tooMany)
    await expect(signInByDevice(test, registered)).rejects.toThrow(TokenTooLong)
    expect(await test.countersign.sessions.list({ email: user.email })).toHaveLength(1)
  })

  it('can use an open session until its refresh, which fails without spending the refresh token', async () => {
    const test = await createTestCountersign()
    const { user, tokens } = await signInNewUser(test)
    const { refreshToken, accessToken } = tokens
    const before = [...user.permissions]
    await setPermissions(test, user.email, tooMany)
    expect(await test.countersign.auth.authenticate({ token: accessToken })).toMatchObject({ userId: user.id })
    await expect(test.countersign.auth.refresh({ refreshToken })).rejects.toThrow(TokenTooLong)
    expect(test.logger.entries).toStrictEqual([logged(user.id)])
    test.clock.advance(minutes(1))
    await setPermissions(test, user.email, before)
    await expect(test.countersign.auth.refresh({ refreshToken })).resolves.toBeDefined()
  })
})

describe('a directory with too much user data for a token', () => {
  const given = async () => {
    const directory = memoryDirectory()
    const test = await createTestCountersign({ users: directory })
    const passwordHash = await test.passwords.hash(testPassword)
    const person = { email: 'ada@example.test', passwordHash, disabled: false, permissions: ['project.read'] }
    const id = await directory.add(person)
    const synced = () => test.countersign.users.sync({ directoryId: id })
    return { test, id, directory, person, synced }
  }

  it('gets an error when it syncs the user, who cannot log in', async () => {
    const { test, id, directory, person, synced } = await given()
    const { id: userId } = await synced()
    await directory.change(id, { permissions: tooMany })
    await expect(synced()).rejects.toThrow(
      new UserDirectoryMistake('the user directory answered with a user whose permissions: must fit in a token'),
    )
    await expect(test.countersign.auth.login({ email: person.email, password: testPassword })).rejects.toThrow(TokenTooLong)
    expect(test.logger.entries.filter(({ level }) => level === 'error')).toStrictEqual([logged(userId), logged(userId)])
  })

  it('can still disable the user and end the sessions', async () => {
    const { test, id, directory, person, synced } = await given()
    await signIn(test, await synced())
    await directory.change(id, { permissions: tooMany, disabled: true })
    expect(await synced()).toMatchObject({ disabledAt: test.clock.now() })
    expect(await test.countersign.sessions.list({ email: person.email })).toStrictEqual([])
  })
})
