import type { MigratedStorage } from '@countersign/core/storage'
import { aNewUser, aSession, failuresOf, noWaits, clockStart as now } from '@countersign/core/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createPostgresDatabase, type PostgresDatabase } from '../../../tools/testing/create-postgres-database.ts'
import { openPostgres } from '../src/index.ts'
import { connect, open, openMigrated } from './open-migrated.ts'

describe('a misused transaction', () => {
  let database: PostgresDatabase
  let storage: MigratedStorage

  beforeAll(async () => {
    database = await createPostgresDatabase()
    storage = await openPostgres({ url: database.url })
    await storage.migrate()
  })

  afterAll(async () => {
    await storage.close()
    await database.drop()
  })

  it('throws when its work calls the storage instead of `tx`', async () => {
    const escaping = storage.transaction(async (tx) => {
      await tx.loginFailures.reserve('inside', noWaits, now)
      await storage.loginFailures.reserve('outside', noWaits, now)
    })
    await expect(escaping).rejects.toThrow('only its `tx`')
    expect(await failuresOf(storage, 'inside')).toBeUndefined()
    expect(await failuresOf(storage, 'outside')).toBeUndefined()
  })

  it('throws when its stores are used after the end of the transaction', async () => {
    const { tx } = await storage.transaction(async (stores) => ({ tx: stores }))
    await expect(tx.users.byId(1)).rejects.toThrow('has ended')
  })

  it('is rolled back when it ends while a statement is running', async () => {
    const forgetful = storage.transaction(async (tx) => {
      void tx.loginFailures.reserve('account', noWaits, now)
    })
    await expect(forgetful).rejects.toThrow('while a statement of it was running')
    expect(await failuresOf(storage, 'account')).toBeUndefined()
  })

  it('is rolled back when its work ignores a failed statement', async () => {
    const careless = storage.transaction(async (tx) => {
      await tx.loginFailures.reserve('account', noWaits, now)
      await tx.sessions.open(aSession({ userId: 4711 })).catch(() => {})
      return 'done'
    })
    await expect(careless).rejects.toThrow('foreign key')
    expect(await failuresOf(storage, 'account')).toBeUndefined()
  })
})

describe('transactions on a server with serializable isolation by default', () => {
  it('make the same decisions, and succeed', async () => {
    const { url, storage } = await openMigrated()
    const client = await connect(url)
    await client.query(`alter database ${new URL(url).pathname.slice(1)} set default_transaction_isolation = serializable`)
    const strict = await open(url)
    const limit = { burst: 10, refillMs: 60_000, windowMax: 5, windowMs: 3_600_000 }
    const decisions = await Promise.all(Array.from({ length: 20 }, () => strict.rateLimits.take('key', limit, now)))
    expect(decisions.filter(({ allowed }) => allowed)).toHaveLength(5)
    expect((await storage.rateLimits.take('key', limit, now)).allowed).toBe(false)
  })
})

describe('two storages on one database', () => {
  it('refuse a session immediately after the other one ended it', async () => {
    const { url, storage } = await openMigrated()
    const other = await open(url)
    const [user] = await storage.users.create([aNewUser()])
    const session = aSession({ userId: user?.id ?? 0 })
    await storage.sessions.open(session)
    expect(await other.sessions.status(session.id)).toBeDefined()
    await storage.sessions.end(session.id, 'logout', now)
    expect(await other.sessions.status(session.id)).toBeUndefined()
  })

  it('share a rate limit that allows a single request', async () => {
    const { url, storage } = await openMigrated()
    const other = await open(url)
    const limit = { burst: 100, refillMs: 1, windowMax: 1, windowMs: 3_600_000 }
    for (let round = 0; round < 10; round += 1) {
      const takes = Array.from({ length: 20 }, (_, index) =>
        (index % 2 === 0 ? storage : other).rateLimits.take(`key ${round}`, limit, now),
      )
      expect((await Promise.all(takes)).filter(({ allowed }) => allowed)).toHaveLength(1)
    }
  })
})
