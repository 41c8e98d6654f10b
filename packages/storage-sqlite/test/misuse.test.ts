import { setImmediate } from 'node:timers/promises'
import { type Stores, Unavailable } from '@countersign/core/storage'
import { aNewUser, aSession, failuresOf, noWaits, clockStart as now } from '@countersign/core/testing'
import { describe, expect, it } from 'vitest'
import { openMigrated } from './open-migrated.ts'

describe('a transaction that is misused', () => {
  it.each([
    ['reading', (storage: Stores) => storage.users.byId(1)],
    ['writing', (storage: Stores) => storage.loginFailures.reserve('account', noWaits, now)],
    ['a standing', (storage: Stores) => storage.sessions.status('id')],
    ['a store that begins one', (storage: Stores) => storage.sessions.end('id', 'logout', now)],
  ])('by the storage itself inside it throws instead of waiting for ever: %s', async (_, use) => {
    const storage = await openMigrated()
    await expect(storage.transaction<unknown>(async () => use(storage))).rejects.toThrow('only its `tx`')
    await expect(storage.ping()).resolves.toBeUndefined()
  })

  it('by a standing that is remembered throws too', async () => {
    const storage = await openMigrated()
    const user = await storage.users.create(aNewUser())
    const session = aSession({ userId: user?.id ?? 0 })
    await storage.sessions.open(session)
    expect(await storage.sessions.status(session.id)).toBeDefined()
    await expect(storage.transaction(async () => storage.sessions.status(session.id))).rejects.toThrow('only its `tx`')
    await storage.close()
    await expect(storage.sessions.status(session.id)).rejects.toBeInstanceOf(Unavailable)
  })

  it('by another transaction inside it throws, and nothing of either happens', async () => {
    const storage = await openMigrated()
    const nested = storage.transaction(async (tx) => {
      await tx.loginFailures.reserve('outer', noWaits, now)
      await storage.transaction((inner) => inner.loginFailures.reserve('inner', noWaits, now))
    })
    await expect(nested).rejects.toThrow('only its `tx`')
    expect(await failuresOf(storage, 'outer')).toBeUndefined()
    expect(await failuresOf(storage, 'inner')).toBeUndefined()
  })

  it('by its stores after its end throws', async () => {
    const storage = await openMigrated()
    const { tx } = await storage.transaction(async (stores) => ({ tx: stores }))
    await expect(tx.users.byId(1)).rejects.toThrow('has ended')
    await expect(tx.sessions.end('id', 'logout', now)).rejects.toThrow('has ended')
  })

  it('by ending before its statements do is undone', async () => {
    const storage = await openMigrated()
    const forgetful = storage.transaction(async (tx) => {
      void tx.loginFailures.reserve('account', noWaits, now)
    })
    await expect(forgetful).rejects.toThrow('while a statement of it was running')
    expect(await failuresOf(storage, 'account')).toBeUndefined()
  })

  it('by waiting for something else is undone, and keeps nobody waiting', async () => {
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

  it('by passing over a statement that failed is undone', async () => {
    const storage = await openMigrated()
    const careless = storage.transaction(async (tx) => {
      await tx.loginFailures.reserve('account', noWaits, now)
      await tx.sessions.open(aSession({ userId: 4711 })).catch(() => {})
      return 'done'
    })
    await expect(careless).rejects.toThrow('FOREIGN KEY')
    expect(await failuresOf(storage, 'account')).toBeUndefined()
  })

  it('is not what its work starts for later', async () => {
    const storage = await openMigrated()
    const user = await storage.users.create(aNewUser())
    const { later } = await storage.transaction(async () => ({
      later: setImmediate().then(() => storage.users.byId(user?.id ?? 0)),
    }))
    expect(await later).toStrictEqual(user)
  })
})
