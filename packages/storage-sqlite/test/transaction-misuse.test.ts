import { setImmediate } from 'node:timers/promises'
import { type Stores, Unavailable } from '@countersign/core/storage'
import { aNewUser, aSession, failuresOf, noWaits, clockStart as now } from '@countersign/core/testing'
import { describe, expect, it } from 'vitest'
import { openMigrated } from './open-migrated.ts'

describe('a misused transaction', () => {
  it.each([
    ['reading', (storage: Stores) => storage.users.byId(1)],
    ['writing', (storage: Stores) => storage.loginFailures.reserve('account', noWaits, now)],
    ['a session status', (storage: Stores) => storage.sessions.status('id')],
    ['a store method that begins a transaction', (storage: Stores) => storage.sessions.end('id', 'logout', now)],
  ])('throws, instead of waiting forever, if its work calls the storage instead of `tx`: %s', async (_, use) => {
    const storage = await openMigrated()
    await expect(storage.transaction<unknown>(async () => use(storage))).rejects.toThrow('only its `tx`')
    await expect(storage.ping()).resolves.toBeUndefined()
  })

  it('throws when its work reads a cached session status from the storage', async () => {
    const storage = await openMigrated()
    const [user] = await storage.users.create([aNewUser()])
    const session = aSession({ userId: user?.id ?? 0 })
    await storage.sessions.open(session)
    expect(await storage.sessions.status(session.id)).toBeDefined()
    await expect(storage.transaction(async () => storage.sessions.status(session.id))).rejects.toThrow('only its `tx`')
    await storage.close()
    await expect(storage.sessions.status(session.id)).rejects.toBeInstanceOf(Unavailable)
  })

  it('throws when its work begins another transaction, and neither takes effect', async () => {
    const storage = await openMigrated()
    const nested = storage.transaction(async (tx) => {
      await tx.loginFailures.reserve('outer', noWaits, now)
      await storage.transaction((inner) => inner.loginFailures.reserve('inner', noWaits, now))
    })
    await expect(nested).rejects.toThrow('only its `tx`')
    expect(await failuresOf(storage, 'outer')).toBeUndefined()
    expect(await failuresOf(storage, 'inner')).toBeUndefined()
  })

  it('throws when its stores are used after the end of the transaction', async () => {
    const storage = await openMigrated()
    const { tx } = await storage.transaction(async (stores) => ({ tx: stores }))
    await expect(tx.users.byId(1)).rejects.toThrow('has ended')
    await expect(tx.sessions.end('id', 'logout', now)).rejects.toThrow('has ended')
  })

  it('is rolled back when it ends while a statement is running', async () => {
    const storage = await openMigrated()
    const forgetful = storage.transaction(async (tx) => {
      void tx.loginFailures.reserve('account', noWaits, now)
    })
    await expect(forgetful).rejects.toThrow('while a statement of it was running')
    expect(await failuresOf(storage, 'account')).toBeUndefined()
  })

  it('is rolled back when its work awaits anything else, and blocks nobody', async () => {
    const storage = await openMigrated()
    const slow = storage.transaction(async (tx) => {
      await tx.loginFailures.reserve('slow', noWaits, now)
      await setImmediate()
      await tx.loginFailures.reserve('slow', noWaits, now)
    })
    const never = storage.transaction(() => new Promise<void>(() => {}))
    const other = storage.loginFailures.reserve('other', noWaits, now)
    await expect(slow).rejects.toThrow('waited for something else')
    await expect(never).rejects.toThrow('waited for something else')
    await other
    expect(await failuresOf(storage, 'slow')).toBeUndefined()
    expect(await failuresOf(storage, 'other')).toMatchObject({ count: 1 })
  })

  it('is rolled back when its work ignores a failed statement', async () => {
    const storage = await openMigrated()
    const careless = storage.transaction(async (tx) => {
      await tx.loginFailures.reserve('account', noWaits, now)
      await tx.sessions.open(aSession({ userId: 4711 })).catch(() => {})
      return 'done'
    })
    await expect(careless).rejects.toThrow('FOREIGN KEY')
    expect(await failuresOf(storage, 'account')).toBeUndefined()
  })

  it('does not include calls that its work starts after the end of the transaction', async () => {
    const storage = await openMigrated()
    const [user] = await storage.users.create([aNewUser()])
    const { later } = await storage.transaction(async () => ({
      later: setImmediate().then(() => storage.users.byId(user?.id ?? 0)),
    }))
    expect(await later).toStrictEqual(user)
  })
})
