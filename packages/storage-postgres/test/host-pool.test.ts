import { type MigratedStorage, Unavailable } from '@countersign/core/storage'
import { type DeviceUser, signInNewDeviceUser } from '@countersign/core/testing'
import { createTestCountersign, type TestCountersign } from '@countersign/storage-sqlite/testing'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { createPostgresDatabase, type PostgresDatabase } from '../../../tools/testing/create-postgres-database.ts'
import { openPool } from '../../../tools/testing/open-pool.ts'
import { startStopwatch } from '../../../tools/testing/stopwatch.ts'
import { expectWithinASecond } from '../../../tools/testing/within-a-second.ts'
import { fromPg } from '../src/clients/index.ts'
import { openPostgres } from '../src/index.ts'
import { approvedPayment, inTransaction, payment } from './host.ts'
import { connect } from './open-migrated.ts'

let database: PostgresDatabase

beforeAll(async () => {
  database = await createPostgresDatabase()
  const storage = await openPostgres({ url: database.url })
  await storage.migrate()
  await storage.close()
  await database.query('create table payments (id integer primary key)')
})

afterAll(() => database.drop())

const openOn = async (pool: pg.Pool): Promise<MigratedStorage> => {
  const storage = await openPostgres({ pool })
  onTestFinished(() => storage.close())
  return storage
}

interface Given extends Omit<TestCountersign, 'storage'> {
  readonly storage: MigratedStorage
  readonly pool: pg.Pool
  readonly user: DeviceUser
}

/** A storage on a pool of the host. The storage is closed before the pool. */
const given = async (config: pg.PoolConfig): Promise<Given> => {
  const pool = openPool({ connectionString: database.url, ...config })
  const storage = await openOn(pool)
  const test = await createTestCountersign({ storage })
  return { ...test, storage, pool, user: await signInNewDeviceUser(test) }
}

const book = ({ pool, countersign, user }: Given, confirmationId: string, id: number) =>
  inTransaction(pool, async (client) => {
    const use = { ...payment, confirmationId, userId: user.user.id, consumedBy: `payment ${id}` }
    const used = await countersign.confirmations.consume(use, { client: fromPg(client) })
    await client.query('insert into payments values ($1)', [id])
    return used
  })

describe('a storage on the pool of the host', () => {
  it("needs no settings or parsers of the host's pool, and changes none", async () => {
    const strange = () => 'a value of the host'
    const test = await given({
      types: { getTypeParser: () => strange },
      options: '-c search_path=nowhere -c statement_timeout=7777 -c default_transaction_isolation=serializable',
    })
    const id = await approvedPayment(test)
    const { countersign, user, pool } = test
    const use = { confirmationId: id, userId: user.user.id, ...payment, consumedBy: 'payment 1' }
    expect(await countersign.confirmations.consume(use)).toMatchObject({ consumedAt: test.clock.now() })
    const caller = { userId: user.user.id, permissions: ['project.*'] }
    const customer = await countersign.customers.create({ name: 'Ada', email: 'ada@example.com' })
    const project = { name: 'Bridge', customerId: customer.id, contractValue: 12.5, currency: 'EUR', caller } as const
    await countersign.projects.create(project)
    const { projects } = await countersign.projects.list({ caller: 'admin', search: 'ridg' })
    expect(projects).toMatchObject([{ contractValue: 12.5 }])

    const session = `
      select current_setting('search_path') || ' ' || current_setting('statement_timeout') || ' ' || current_setting('row_security')
        || ' ' || (select count(*) from pg_prepared_statements) || ' ' || current_setting('application_name') as session`
    const clients = await Promise.all(Array.from({ length: pool.totalCount }, () => pool.connect()))
    for (const client of clients) {
      const asText = { getTypeParser: () => String }
      const { rows } = await client.query<{ session: string }>({ text: session, types: asText })
      expect(rows).toStrictEqual([{ session: 'nowhere 7777ms on 0 ' }])
      expect((await client.query('select 1::bigint as one')).rows).toStrictEqual([{ one: 'a value of the host' }])
      expect(client.listenerCount('error')).toBe(0)
      client.release()
    }
  })

  it('reads values correctly in a process whose parsers the host has changed for all connections', async () => {
    const { BOOL, INT4, TEXT } = pg.types.builtins
    const before = [BOOL, INT4, TEXT].map((oid) => [oid, pg.types.getTypeParser(oid)] as const)
    onTestFinished(() => {
      for (const [oid, parse] of before) pg.types.setTypeParser(oid, parse)
    })
    for (const [oid] of before) pg.types.setTypeParser(oid, () => 'a value of the host')
    const test = await given({})
    expect(await book(test, await approvedPayment(test), 2)).toMatchObject({ consumedAt: test.clock.now() })
  })

  it('uses one connection in addition to the connections of the pool', async () => {
    const client = await connect(database.url)
    const test = await given({ max: 3 })
    const { countersign, user } = test
    const { accessToken: token } = user.web.tokens
    const work = Array.from({ length: 50 }, () => [
      countersign.auth.authenticate({ token }),
      test.storage.users.list({ afterId: 0, limit: 10 }),
      test.storage.probeWrites(),
    ])
    await Promise.all(work.flat())
    // The server may still be ending connections of former tests. Processes such as autovacuum are also in the list.
    const { rows: opened } = await client.query(`
      select from pg_stat_activity where datname = current_database() and backend_type = 'client backend'
      and backend_start > (select backend_start from pg_stat_activity where pid = pg_backend_pid())`)
    expect(opened).toHaveLength(test.pool.totalCount + 1)
    expect(test.pool.totalCount).toBeLessThanOrEqual(3)
    expect(test.storage.statistics().connections).toStrictEqual({ most: 3, inUse: 0, waiting: 0 })
  })

  it('books once if 50 bookings race on two connections while people sign in', async () => {
    const test = await given({ max: 2 })
    const id = await approvedPayment(test)
    const { accessToken: token } = test.user.web.tokens
    const [outcomes] = await Promise.all([
      Promise.allSettled(Array.from({ length: 50 }, (_, at) => book(test, id, 100 + at))),
      Promise.all(Array.from({ length: 50 }, () => test.countersign.auth.authenticate({ token }))),
    ])
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    for (const outcome of outcomes) {
      if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject({ code: 'confirmation_consumed' })
    }
    expect(await database.query('select id from payments where id >= 100')).toHaveLength(1)
  })

  it('refuses a session within a second after another process ended it', async () => {
    const test = await given({})
    const { accessToken: token } = test.user.web.tokens
    await test.countersign.auth.authenticate({ token })
    const elsewhere = await openPostgres({ url: database.url })
    onTestFinished(() => elsewhere.close())
    await elsewhere.sessions.endAll({ userId: test.user.user.id }, 'logout', test.clock.now())
    await expectWithinASecond(() =>
      test.countersign.auth.authenticate({ token }).then(
        () => false,
        (error: { kind: string }) => error.kind === 'unauthenticated',
      ),
    )
  })

  it('is closed without closing the pool', async () => {
    const pool = openPool({ connectionString: database.url })
    const storage = await openPostgres({ pool })
    await storage.users.byId(1)
    await storage.close()
    await expect(storage.users.byId(1)).rejects.toMatchObject({ reason: 'database_closed' })
    expect((await pool.query('select 1 as one')).rows).toStrictEqual([{ one: 1 }])
  })

  it('fails within five seconds while the host uses every connection, and works again after that', async () => {
    const pool = openPool({ connectionString: database.url, max: 1 })
    const storage = await openOn(pool)
    const client = await pool.connect()
    const time = startStopwatch()
    await expect(storage.users.byId(1)).rejects.toMatchObject({ kind: 'unavailable', reason: 'connections_in_use' })
    expect(time()).toBeLessThan(5000)
    client.release()
    await storage.users.byId(1)
    expect(pool.idleCount).toBe(1)
  }, 10_000)

  it('replaces a connection that the server has ended', async () => {
    const pool = openPool({ connectionString: database.url, max: 1 })
    pool.on('error', () => {})
    const storage = await openOn(pool)
    await storage.users.byId(1)
    const { rows } = await pool.query<{ pid: number }>('select pg_backend_pid() as pid')
    await database.query(`select pg_terminate_backend(${rows[0]?.pid})`)
    await storage.users.byId(1)
  })

  it('is not opened if it gets something that is not a pool', async () => {
    const client = new pg.Client(database.url)
    await expect(openPostgres({ pool: client as unknown as pg.Pool })).rejects.toThrow(Unavailable)
    await expect(openPostgres({ pool: client as unknown as pg.Pool })).rejects.toThrow(/must be a Pool of the driver pg/)
  })
})
