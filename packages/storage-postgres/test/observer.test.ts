import { AsyncLocalStorage } from 'node:async_hooks'
import type { ObservedStatement } from '@countersign/core'
import { aNewUser, aSession, clockStart as now } from '@countersign/core/testing'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openPostgres } from '../src/index.ts'
import { connect, newDatabase } from './open-migrated.ts'

/** Opens a migrated storage whose statements are recorded, each with the context in which the observer was called. */
const given = async (poolSize = 4) => {
  const url = await newDatabase()
  const context = new AsyncLocalStorage<string>()
  const told: (ObservedStatement & { readonly in: string | undefined })[] = []
  const observer = {
    inContext: true,
    statement: (statement: ObservedStatement) => void told.push({ ...statement, in: context.getStore() }),
  }
  const storage = await openPostgres({ url, poolSize, observer })
  onTestFinished(() => storage.close())
  await storage.migrate()
  told.length = 0
  /** Returns the first words of the statements of a context. */
  const statementsIn = (name: string) => told.filter((one) => one.in === name).map(({ text }) => text.split(' ')[0])
  return { url, storage, told, context, statementsIn }
}

describe('the observer', () => {
  it('is called with each statement in the context of its caller', async () => {
    const { storage, context, statementsIn } = await given(1)
    const names = ['one', 'two', 'three']
    await Promise.all(names.map((name) => context.run(name, () => storage.users.byEmail(`${name}@example.test`))))
    expect(names.map(statementsIn)).toEqual([['select'], ['select'], ['select']])
  })

  it('is called with each write in the context of its caller, also if writes share a commit', async () => {
    const { storage, context, statementsIn } = await given(1)
    const limit = { burst: 5, refillMs: 1000, windowMax: 5, windowMs: 1000 }
    const names = ['one', 'two', 'three']
    await Promise.all(names.map((name) => context.run(name, () => storage.rateLimits.take(name, limit, now))))
    for (const name of names) expect(statementsIn(name).length).toBeGreaterThan(0)
  })

  it('is called with the statements of a transaction, and with its commit', async () => {
    const { storage, context, statementsIn } = await given()
    const [user] = await storage.users.create([aNewUser()])
    await context.run('login', () =>
      storage.transaction(async (tx) => {
        await tx.users.admit(user?.id ?? 0, user?.version ?? 0)
        await tx.sessions.open(aSession({ userId: user?.id ?? 0 }))
      }),
    )
    const statements = statementsIn('login')
    expect(statements).toContain('insert')
    expect(statements.at(-1)).toBe('commit')
  })

  it('gets the time on the database and nothing of the values', async () => {
    const { url, storage, told } = await given()
    const blocker = await connect(url)
    await blocker.query('begin')
    await blocker.query('lock table users in access exclusive mode')
    const reading = storage.users.byEmail('secret@example.test')
    await blocker.query('select pg_sleep(0.2)')
    await blocker.query('commit')
    await reading
    const [statement] = told
    expect(statement?.milliseconds).toBeGreaterThan(150)
    expect(statement?.milliseconds).toBeLessThan(3000)
    expect(JSON.stringify(told)).not.toContain('secret@')
  })

  it('is called with a statement that failed', async () => {
    const { url, storage, told } = await given()
    await (await connect(url)).query('alter table users rename to gone')
    await expect(storage.users.byEmail('a@example.test')).rejects.toThrow()
    expect(told.map(({ error }) => error instanceof Error && 'code' in error && error.code)).toEqual(['42P01'])
  })
})

describe('the statistics', () => {
  it('contain the number of connections in use and of callers that wait', async () => {
    // Two of three connections may write.
    const { url, storage } = await given(3)
    const blocker = await connect(url)
    await blocker.query('begin')
    await blocker.query('lock table users in access exclusive mode')
    const creating = Array.from({ length: 5 }, () => storage.users.create([aNewUser()]))
    await expect.poll(() => storage.statistics().connections).toEqual({ most: 3, inUse: 2, waiting: 3 })
    await blocker.query('commit')
    await Promise.all(creating)
    expect(storage.statistics().connections).toEqual({ most: 3, inUse: 0, waiting: 0 })
  })

  it('say whether changes of other processes arrive', async () => {
    const { url, storage } = await given()
    expect(storage.statistics().listening).toBeUndefined()
    const first = storage.sessions.status('none')
    expect(storage.statistics().listening).toBe(false)
    await first
    await expect.poll(() => storage.statistics().listening).toBe(true)
    const other = await connect(url)
    await other.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where application_name = 'countersign-listener' and datname = current_database()`,
    )
    await expect.poll(() => storage.statistics().listening, { interval: 1 }).toBe(false)
    await storage.sessions.status('none')
    await expect.poll(() => storage.statistics().listening).toBe(true)
  })

  it('count the hits of the session cache', async () => {
    const { storage } = await given()
    await storage.sessions.status('none')
    await storage.sessions.status('none')
    expect(storage.statistics().sessionCache).toEqual({ hits: 0, misses: 2 })
  })
})
