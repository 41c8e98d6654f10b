import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createCountersign } from '../../countersign.ts'
import type { PasswordHasher } from '../../identity/hashing/hasher.ts'
import type { DirectoryUser, UserDirectory } from '../../identity/user-model/directory.ts'
import { normaliseEmail } from '../../identity/user-model/email.ts'
import { type HostClient, withinTransaction } from '../../shared/host-client.ts'
import type { FullStorage } from '../../storage.ts'
import { registerTestDevice, signInByDevice, testPassword } from '../sign-in.ts'
import { aKeyRing, cheapHasher } from '../test-keys.ts'

/** The fields that the users of every host have. */
type Person = Pick<DirectoryUser, 'email' | 'passwordHash' | 'disabled'>

/** A host's directory, with functions that change the host's users behind the directory. */
export interface DirectoryUnderTest {
  readonly users: UserDirectory
  /** The storage of Countersign, which keeps everything but the users. */
  readonly storage: FullStorage
  /** The hasher of the host, if its hashes are not argon2id. */
  readonly passwords?: PasswordHasher
  /** Adds a user. Resolves to the id of the user. */
  add(person: Person): Promise<string>
  change(id: string, change: Partial<Person>): Promise<void>
  remove(id: string): Promise<void>
  /**
   * Sets the permissions of a user, such as `order.approve@acme`. Needed by a directory with `holdersOf`. Resolves to `false` if
   * the host cannot give these permissions, for example because roles have them; the suite then leaves the case out.
   */
  permit?(id: string, permissions: readonly string[]): Promise<unknown>
  /**
   * Runs `work` with a client inside a transaction of the host. Needed if `byId` queries on the client of a call with the host's
   * own transaction.
   */
  transaction?<T>(work: (client: HostClient) => Promise<T>): Promise<T>
  close?(): Promise<void>
}

/** The milliseconds that a test may take on a busy machine. */
const PATIENCE = 60_000

/**
 * Declares the contract suite of `UserDirectory` in Vitest.
 *
 * @param open Opens the directory. Called once, before the suite. The suite closes the directory, and leaves its users in it.
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
    transactionsContract(host, aPerson)
    holdersContract(host, aPerson)
    loginsContract(host, aPerson)
  })
}

type Builder = (overrides?: Partial<Person>) => Person

const answersContract = (host: () => DirectoryUnderTest, aPerson: Builder): void => {
  it('finds a user by email and by id, with the same fields', async () => {
    const { users, add } = host()
    const person = aPerson({ passwordHash: 'a hash, whatever it looks like: $2b$10$./' })
    const id = await add(person)
    const found = await users.byEmail(person.email)
    expect(found).toMatchObject({ ...person, id })
    expect(await users.byId(id)).toStrictEqual(found)
  })

  it('finds a user by the normalised email, also when the host stores another spelling', async () => {
    const { users, add } = host()
    for (const [stored, normalised] of [
      [aPerson().email.toUpperCase()],
      [`${randomUUID()}@xn--mnchen-3ya.example`],
      [`${randomUUID()}Σς@MÜNCHEN.example`],
    ].map(([email = '']) => [email, normaliseEmail(email)] as const)) {
      const id = await add(aPerson({ email: stored }))
      expect(await users.byEmail(normalised)).toMatchObject({ id })
    }
  })

  it.each([
    ['strasse', 'straße'],
    ['zoe', 'zoë'],
    ['i', 'ı'],
  ])('does not find the user %s by the email %s, which some databases call equal', async (name, other) => {
    const { users, add } = host()
    const { email } = aPerson()
    await add(aPerson({ email: `${name}-${email}` }))
    expect(await users.byEmail(`${other}-${email}`)).toBeUndefined()
  })

  it.each([
    '',
    'nobody@example.test',
    '%@example.test',
    'user-_@example.test',
    "' or 1=1 --@example.test",
    '"*"@example.test',
    'x'.repeat(254),
  ])('finds no user with the email %j', async (email) => {
    await host().add(aPerson())
    expect(await host().users.byEmail(email)).toBeUndefined()
  })

  it('shows immediately that a user is disabled or enabled', async () => {
    const { users, add, change } = host()
    const id = await add(aPerson())
    for (const disabled of [true, false]) {
      await change(id, { disabled })
      expect(await users.byId(id)).toMatchObject({ id, disabled })
    }
  })

  it('shows immediately that a password has changed or was removed', async () => {
    const { users, add, change } = host()
    const id = await add(aPerson({ passwordHash: 'one' }))
    for (const passwordHash of ['another', null]) {
      await change(id, { passwordHash })
      expect(await users.byId(id)).toMatchObject({ id, passwordHash })
    }
  })

  it('finds a user with a new email under the same id, and not under the old email', async () => {
    const { users, add, change } = host()
    const [before, after] = [aPerson(), aPerson()]
    const id = await add(before)
    await change(id, { email: after.email })
    expect(await users.byEmail(after.email)).toMatchObject({ id, email: after.email })
    expect(await users.byId(id)).toMatchObject({ email: after.email })
    expect(await users.byEmail(before.email)).toBeUndefined()
  })

  it('does not find a removed user, and gives the id to no other user', async () => {
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

/** A client for a directory that never queries on the client. */
const unusableClient: HostClient = {
  query: async () => {
    throw new Error('byId queries on the client: give `transaction` to describeUserDirectory')
  },
}

const transactionsContract = (host: () => DirectoryUnderTest, aPerson: Builder): void => {
  it('finds a user by id on the client of a transaction of the host, with the same fields, and no removed user', async () => {
    const { users, add, remove, transaction = (work) => work(unusableClient) } = host()
    const id = await add(aPerson({ passwordHash: 'one' }))
    const found = await users.byId(id)
    expect(found).toMatchObject({ id })
    expect(await transaction((client) => users.byId(id, withinTransaction(client)))).toStrictEqual(found)
    await remove(id)
    expect(await transaction((client) => users.byId(id, withinTransaction(client)))).toBeUndefined()
  })
}

const holdersContract = (host: () => DirectoryUnderTest, aPerson: Builder): void => {
  /** Adds a user for each list of permissions. Returns who of them is found, or why the case is left out. */
  const given = async (...permissions: readonly (readonly string[])[]) => {
    const { users, add, permit } = host()
    // A directory without the method finds no approvers.
    if (users.holdersOf === undefined) return undefined
    if (permit === undefined) throw new Error('the directory has holdersOf: give `permit` to describeUserDirectory')
    const ids: string[] = []
    for (const list of permissions) {
      const id = await add(aPerson())
      if ((await permit(id, list)) === false) return undefined
      ids.push(id)
    }
    return async (permission: string, tenant: string | null, limit = 1000): Promise<readonly number[]> => {
      const holders = (await users.holdersOf?.(permission, tenant, limit)) ?? []
      expect(holders.length).toBeLessThanOrEqual(limit)
      for (const holder of holders) expect(holder).toStrictEqual(await users.byId(holder.id))
      return ids.flatMap((id, at) => (holders.some((holder) => holder.id === id) ? [at] : []))
    }
  }

  it('finds the holders of a permission by its name and by wildcards, and no others', async () => {
    const found = await given(['order.approve'], ['order.*'], ['*.*'], ['order.read'], ['other.approve'], [])
    if (found !== undefined) expect(await found('order.approve', null)).toStrictEqual([0, 1, 2])
  })

  it('finds the holders in a tenant, who are those of the tenant and those everywhere', async () => {
    const found = await given(['order.approve@acme'], ['order.*@acme'], ['order.approve'], ['order.approve@other'])
    if (found === undefined) return
    expect(await found('order.approve', 'acme')).toStrictEqual([0, 1, 2])
    expect(await found('order.approve', 'other')).toStrictEqual([2, 3])
    expect(await found('order.approve', null)).toStrictEqual([2])
  })

  it('returns at most as many holders as the limit says', async () => {
    const found = await given(['order.approve'], ['order.approve'], ['order.approve'])
    if (found !== undefined) expect((await found('order.approve', null, 2)).length).toBeLessThanOrEqual(2)
  })

  it('shows immediately that a permission was taken away', async () => {
    const { users, add, permit } = host()
    if ((await given()) === undefined || permit === undefined) return
    const id = await add(aPerson())
    const holds = async () => (await users.holdersOf?.('order.approve', null, 1000))?.some((one) => one.id === id)
    if ((await permit(id, ['order.approve'])) === false) return
    expect(await holds()).toBe(true)
    await permit(id, [])
    expect(await holds()).toBe(false)
  })
}

const loginsContract = (host: () => DirectoryUnderTest, aPerson: Builder): void => {
  const setUp = async () => {
    const { users, storage, add, passwords = cheapHasher() } = host()
    const countersign = createCountersign({ storage, users, passwords, jwtKeys: aKeyRing(), encryptionKeys: aKeyRing() })
    const person = aPerson({ passwordHash: await passwords.hash(testPassword) })
    const id = await add(person)
    const { auth } = countersign
    const login = (password = testPassword) => auth.login({ email: person.email, password })
    const tokens = await login()
    const caller = await auth.authenticate({ token: tokens.accessToken })
    const isIn = (token = tokens.accessToken) =>
      auth.authenticate({ token }).then(
        () => true,
        () => false,
      )
    return { countersign, auth, passwords, person, id, login, tokens, caller, isIn }
  }

  it('lets users log in with their password, and with no other password', async () => {
    const { person, caller, login } = await setUp()
    expect(caller.email).toBe(person.email)
    await expect(login('another password')).rejects.toThrow('Invalid email or password')
  })

  it('names the user of a token by the id of the host, and never mixes users up', async () => {
    const [one, other] = [await setUp(), await setUp()]
    for (const { auth, id, caller, tokens } of [one, other, one]) {
      expect([caller.directoryId, caller.userId]).toStrictEqual([id, expect.any(Number)])
      const answer = await auth.introspect({ token: tokens.accessToken, serviceName: 'billing' })
      expect([answer.directoryId, answer.id]).toStrictEqual([id, caller.userId])
    }
  })

  it('ends the sessions of a disabled user immediately, and they stay ended after the user is enabled', async () => {
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

  it('ends the sessions of a removed user immediately', async () => {
    const { id, login, isIn } = await setUp()
    await host().remove(id)
    expect(await isIn()).toBe(false)
    await expect(login()).rejects.toThrow('Invalid email or password')
  })

  it('ends every session when the password changes', async () => {
    const { passwords, id, login, isIn } = await setUp()
    await host().change(id, { passwordHash: await passwords.hash('a password of tomorrow') })
    const { accessToken } = await login('a password of tomorrow')
    expect(await isIn()).toBe(false)
    expect(await isIn(accessToken)).toBe(true)
    await expect(login()).rejects.toThrow('Invalid email or password')
  })

  it('gives no user the devices of an earlier user with the same email', async () => {
    const { countersign, auth, person, id, caller, login } = await setUp()
    const registered = await registerTestDevice({ countersign }, caller)
    await expect(signInByDevice({ countersign }, registered)).resolves.toBeDefined()
    await host().remove(id)
    await host().add(person)
    const newcomer = await auth.authenticate({ token: (await login()).accessToken })
    expect(newcomer.userId).not.toBe(caller.userId)
    expect([caller.directoryId, newcomer.directoryId === id]).toStrictEqual([id, false])
    expect(await countersign.devices.list({ caller: newcomer })).toStrictEqual([])
    await expect(signInByDevice({ countersign }, registered)).rejects.toThrow('Invalid biometric token')
  })
}
