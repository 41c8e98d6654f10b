import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { PasswordHasher } from '../../identity/passwords/hasher.ts'
import type { DirectoryUser, UserDirectory } from '../../identity/users/directory.ts'
import { cheapHasher, createTestCountersign } from '../create-test-countersign.ts'
import { registerTestDevice, signInByDevice, testPassword } from '../sign-in.ts'

/** What every host's users have. */
type Person = Pick<DirectoryUser, 'email' | 'passwordHash' | 'disabled'>

/** A host's directory, and a hand on the host's own database behind it, past the directory. */
export interface DirectoryUnderTest {
  readonly users: UserDirectory
  /** Where the host's hashes are not argon2id's. */
  readonly passwords?: PasswordHasher
  /** Resolves to the id that the host gave. */
  add(person: Person): Promise<string>
  change(id: string, change: Partial<Person>): Promise<void>
  remove(id: string): Promise<void>
  close?(): Promise<void>
}

/** Milliseconds a test may take, on a busy machine. */
const PATIENCE = 60_000

/**
 * The contract of `UserDirectory` as a suite of vitest: what passes it can keep the users of Countersign.
 *
 * @param open Opens the directory. Called once, before the suite; the suite closes what it gets, and leaves its users.
 */
export const describeUserDirectory = (name: string, open: () => Promise<DirectoryUnderTest>): void => {
  describe(`user directory: ${name}`, { timeout: PATIENCE }, () => {
    let opened: DirectoryUnderTest | undefined
    const host = (): DirectoryUnderTest => {
      if (opened === undefined) throw new Error('the directory was not opened')
      return opened
    }

    beforeAll(async () => {
      opened = await open()
    }, PATIENCE)

    afterAll(async () => {
      await opened?.close?.()
    })

    const aPerson = (overrides: Partial<Person> = {}): Person => ({
      email: `user-${randomUUID()}@example.test`,
      passwordHash: null,
      disabled: false,
      ...overrides,
    })

    answersContract(host, aPerson)
    loginsContract(host, aPerson)
  })
}

type Builder = (overrides?: Partial<Person>) => Person

const answersContract = (host: () => DirectoryUnderTest, aPerson: Builder): void => {
  it('finds a user by email and by id, and says the same of them', async () => {
    const { users, add } = host()
    const person = aPerson({ passwordHash: 'a hash, whatever it looks like: $2b$10$./' })
    const id = await add(person)
    const found = await users.byEmail(person.email)
    expect(found).toMatchObject({ ...person, id })
    expect(await users.byId(id)).toStrictEqual(found)
  })

  it('finds by the normalised email whoever is written otherwise', async () => {
    const { users, add } = host()
    const { email } = aPerson()
    const id = await add(aPerson({ email: email.toUpperCase() }))
    expect(await users.byEmail(email)).toMatchObject({ id })
  })

  it.each([
    '',
    'nobody@example.test',
    '%@example.test',
    'user-_@example.test',
    "' or 1=1 --@example.test",
    '"*"@example.test',
    'x'.repeat(254),
  ])('knows nobody of the email %j', async (email) => {
    await host().add(aPerson())
    expect(await host().users.byEmail(email)).toBeUndefined()
  })

  it('says at once who is disabled, and who is not any more', async () => {
    const { users, add, change } = host()
    const id = await add(aPerson())
    for (const disabled of [true, false]) {
      await change(id, { disabled })
      expect(await users.byId(id)).toMatchObject({ id, disabled })
    }
  })

  it('says at once that there is another password, or none', async () => {
    const { users, add, change } = host()
    const id = await add(aPerson({ passwordHash: 'one' }))
    for (const passwordHash of ['another', null]) {
      await change(id, { passwordHash })
      expect(await users.byId(id)).toMatchObject({ id, passwordHash })
    }
  })

  it('knows a user by the same id under another email, and not under the old one', async () => {
    const { users, add, change } = host()
    const [before, after] = [aPerson(), aPerson()]
    const id = await add(before)
    await change(id, { email: after.email })
    expect(await users.byEmail(after.email)).toMatchObject({ id, email: after.email })
    expect(await users.byId(id)).toMatchObject({ email: after.email })
    expect(await users.byEmail(before.email)).toBeUndefined()
  })

  it('knows nothing of a user who was removed, and gives the id to nobody else', async () => {
    const { users, add, remove } = host()
    const person = aPerson()
    const id = await add(person)
    await remove(id)
    expect(await users.byEmail(person.email)).toBeUndefined()
    expect(await users.byId(id)).toBeUndefined()
    const next = await add(person)
    expect(next).not.toBe(id)
    expect(await users.byId(id)).toBeUndefined()
  })
}

const loginsContract = (host: () => DirectoryUnderTest, aPerson: Builder): void => {
  const setUp = async () => {
    const { users, add, passwords = cheapHasher() } = host()
    const test = createTestCountersign({ users, passwords })
    const person = aPerson({ passwordHash: await passwords.hash(testPassword) })
    const id = await add(person)
    const { auth } = test.countersign
    const login = (password = testPassword) => auth.login({ email: person.email, password })
    const tokens = await login()
    const caller = await auth.authenticate({ token: tokens.accessToken })
    const isIn = (token = tokens.accessToken) =>
      auth.authenticate({ token }).then(
        () => true,
        () => false,
      )
    return { test, auth, passwords, person, id, login, tokens, caller, isIn }
  }

  it('lets its users in by their passwords, and by no other', async () => {
    const { person, caller, login } = await setUp()
    expect(caller.email).toBe(person.email)
    await expect(login('another password')).rejects.toThrow('Invalid email or password')
  })

  it('shuts out at once whom it disables, and their sessions stay ended when it enables them again', async () => {
    const { auth, id, login, tokens, isIn } = await setUp()
    expect(await isIn()).toBe(true)
    await host().change(id, { disabled: true })
    expect(await isIn()).toBe(false)
    await expect(auth.refresh({ refreshToken: tokens.refreshToken })).rejects.toThrow()
    await expect(login()).rejects.toThrow('Invalid email or password')
    await host().change(id, { disabled: false })
    expect(await isIn()).toBe(false)
    expect(await isIn((await login()).accessToken)).toBe(true)
  })

  it('shuts out at once whom it removes', async () => {
    const { id, login, isIn } = await setUp()
    await host().remove(id)
    expect(await isIn()).toBe(false)
    await expect(login()).rejects.toThrow('Invalid email or password')
  })

  it('ends every session with a new password', async () => {
    const { passwords, id, login, isIn } = await setUp()
    await host().change(id, { passwordHash: await passwords.hash('a password of tomorrow') })
    const { accessToken } = await login('a password of tomorrow')
    expect(await isIn()).toBe(false)
    expect(await isIn(accessToken)).toBe(true)
    await expect(login()).rejects.toThrow('Invalid email or password')
  })

  it('gives nobody the devices of who had their email before', async () => {
    const { test, auth, person, id, caller, login } = await setUp()
    const registered = await registerTestDevice(test, caller)
    await expect(signInByDevice(test, registered)).resolves.toBeDefined()
    await host().remove(id)
    await host().add(person)
    const newcomer = await auth.authenticate({ token: (await login()).accessToken })
    expect(newcomer.userId).not.toBe(caller.userId)
    expect(await test.countersign.devices.list({ caller: newcomer })).toStrictEqual([])
    await expect(signInByDevice(test, registered)).rejects.toThrow('Invalid biometric token')
  })
}
