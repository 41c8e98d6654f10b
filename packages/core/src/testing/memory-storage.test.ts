import { describe, expect, it } from 'vitest'
import type { User } from '../identity/users/user.ts'
import { Unavailable } from '../shared/errors.ts'
import { aNewUser, aSession, noWaits } from './builders.ts'
import { atOnce } from './contract/at-once.ts'
import { describeStorage } from './contract/describe-storage.ts'
import { givenUser } from './contract/given.ts'
import { clockStart } from './fake-clock.ts'
import { createMemoryStorage } from './memory/storage.ts'

describeStorage('memory', async () => createMemoryStorage())

describe('the memory storage', () => {
  it('is a new database each time', async () => {
    const [one, other] = [createMemoryStorage(), createMemoryStorage()]
    const user = await givenUser(one)
    expect(await other.users.byEmail(user.email)).toBeUndefined()
  })

  it('copies the values that it stores', async () => {
    const storage = createMemoryStorage()
    const permissions = ['project.read']
    const input = { ...aNewUser({ permissions }), employee: { id: 'emp-1', name: 'Ada', avatarFileId: '' } }
    const user = await givenUser(storage, input)
    permissions.push('*.*')
    input.employee.name = 'Mallory'
    expect(await storage.users.byId(user.id)).toMatchObject({ permissions: ['project.read'], employee: { name: 'Ada' } })
    const granted = ['project.update']
    await storage.users.change(user.id, user.version, { permissions: granted }, clockStart)
    granted.push('*.*')
    expect(await storage.users.byId(user.id)).toMatchObject({ permissions: ['project.update'] })
  })

  it('returns copies of its rows', async () => {
    const storage = createMemoryStorage()
    const { id } = await givenUser(storage)
    const session = aSession({ userId: id })
    await storage.sessions.open(session)
    const spoil = async (read: () => Promise<Pick<User, 'permissions'> | undefined>) => {
      const permissions = (await read())?.permissions as string[]
      permissions.push('*.*')
      expect((await read())?.permissions).toStrictEqual(['project.read'])
    }
    await spoil(() => storage.users.byId(id))
    await spoil(() => storage.sessions.status(session.id))
    await storage.transaction((tx) => spoil(() => tx.users.byId(id)))
  })

  it('refuses a second row with the same primary key', async () => {
    const storage = createMemoryStorage()
    const session = aSession({ userId: (await givenUser(storage)).id })
    await storage.sessions.open(session)
    await expect(storage.sessions.open({ ...session, rememberMe: true })).rejects.toThrow('primary key')
    expect(await storage.sessions.byId(session.id)).toStrictEqual(session)
  })

  it('throws, instead of waiting for ever, when it is used inside its own transaction', async () => {
    const storage = createMemoryStorage()
    const mistaken = storage.transaction(async () => storage.users.byId(1))
    await expect(mistaken).rejects.toThrow('only its `tx`')
    const nested = storage.transaction(() => storage.transaction(async () => {}))
    await expect(nested).rejects.toThrow('only its `tx`')
    await expect(storage.ping()).resolves.toBeUndefined()
  })

  it('can be used by work that a transaction started, after the transaction has ended', async () => {
    const storage = createMemoryStorage()
    let startLater = () => {}
    const later = new Promise<void>((resolve) => {
      startLater = resolve
    })
    const followUp = await storage.transaction(async () => ({ read: later.then(() => storage.ping()) }))
    startLater()
    await expect(followUp.read).resolves.toBeUndefined()
  })

  it('refuses calls of a transaction that has ended', async () => {
    const storage = createMemoryStorage()
    const { tx } = await storage.transaction(async (stores) => ({ tx: stores }))
    await expect(tx.users.byId(1)).rejects.toThrow('has ended')
  })

  it('runs transactions one after another', async () => {
    const storage = createMemoryStorage()
    const user = await givenUser(storage)
    const outcomes = await atOnce(20, (index) =>
      storage.transaction(async (tx) => {
        const current = await tx.users.byId(user.id)
        await tx.loginFailures.reserve('in between', noWaits, clockStart)
        return tx.users.change(user.id, current?.version ?? 0, { permissions: [`resource${index}.read`] }, clockStart)
      }),
    )
    expect(outcomes.every((outcome) => outcome !== undefined)).toBe(true)
    expect(await storage.users.byId(user.id)).toMatchObject({ version: user.version + 20 })
  })

  it('is unavailable after it is closed', async () => {
    const storage = createMemoryStorage()
    await storage.close()
    await storage.close()
    await expect(storage.ping()).rejects.toBeInstanceOf(Unavailable)
    await expect(storage.users.byId(1)).rejects.toBeInstanceOf(Unavailable)
    await expect(storage.transaction(async () => {})).rejects.toBeInstanceOf(Unavailable)
  })
})
