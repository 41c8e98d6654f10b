import type { DirectoryUser, HostClient, UserDirectory } from '@countersign/core'
import { cheapHasher, type DeviceUser, registerTestDevice, signIn, signInByDevice, testPassword } from '@countersign/core/testing'
import { createTestCountersign, type TestCountersign } from '@countersign/storage-sqlite/testing'
import { drizzle, type NodePgDatabase } from 'drizzle-orm/node-postgres'
import { type SQL, sql } from 'drizzle-orm/sql'
import type pg from 'pg'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openPool } from '../../../tools/testing/open-pool.ts'
import { fromDrizzle } from '../src/clients/index.ts'
import { openPostgres } from '../src/index.ts'
import { approvedPayment, inTransaction, payment } from './host.ts'
import { newDatabase } from './open-migrated.ts'

interface Given extends TestCountersign {
  /** The only connection of the host. Its directory and its bookings share the connection. */
  readonly pool: pg.Pool
  readonly user: DeviceUser
}

const toUser = ([person]: readonly unknown[]): DirectoryUser | undefined => {
  if (person === undefined) return undefined
  const { id, email, hash, has_left: disabled } = person as { id: string; email: string; hash: string; has_left: boolean }
  return { id, email, passwordHash: hash, disabled }
}

/** The people of the host, in a table of the host. */
const directoryOn = (pool: pg.Pool): UserDirectory<pg.PoolClient> => {
  const find = async (column: 'id' | 'email', value: string, client: pg.Pool | pg.PoolClient = pool) =>
    toUser((await client.query(`select * from people where ${column} = $1`, [value])).rows)
  return { byEmail: (email) => find('email', email), byId: (id, within) => find('id', id, within?.transaction) }
}

/** The same people, by a query builder of the host, in its own words also inside a transaction. */
const drizzleDirectory = (pool: pg.Pool): UserDirectory<Pick<NodePgDatabase, 'execute'>> => {
  const db = drizzle(pool)
  const find = async (condition: SQL, on: Pick<NodePgDatabase, 'execute'> = db) =>
    toUser((await on.execute(sql`select * from people where ${condition}`)).rows)
  return { byEmail: (email) => find(sql`email = ${email}`), byId: (id, within) => find(sql`id = ${id}`, within?.transaction) }
}

const given = async (directory: (pool: pg.Pool) => UserDirectory = directoryOn): Promise<Given> => {
  const url = await newDatabase()
  const storage = await openPostgres({ url, schema: 'approvals', poolSize: 1 })
  await storage.migrate()
  onTestFinished(() => storage.close())
  // A booking that waits for a second connection fails after this time.
  const pool = openPool({ connectionString: url, max: 1, connectionTimeoutMillis: 3000 })
  await pool.query(`
    create table payments (id integer primary key);
    create table people (id text primary key, email text not null, hash text, has_left boolean not null default false)`)
  await pool.query(`insert into people values ('7', 'ada@example.com', $1)`, [await cheapHasher().hash(testPassword)])
  const test = await createTestCountersign({ storage, users: directory(pool) })
  const web = await signIn(test, await test.countersign.users.sync({ directoryId: '7' }))
  const phone = await registerTestDevice(test, web.caller)
  return { ...test, pool, user: { ...phone, user: web.user, web, mobile: await signInByDevice(test, phone) } }
}

const consume = ({ countersign, user }: Given, confirmationId: string, paymentId: number, client: HostClient) => {
  const use = { confirmationId, userId: user.user.id, ...payment, consumedBy: `payment ${paymentId}` }
  return countersign.confirmations.consume(use, { client })
}

const book = (test: Given, confirmationId: string, paymentId: number) =>
  inTransaction(test.pool, async (client) => {
    const { receipt } = await consume(test, confirmationId, paymentId, client)
    await client.query('insert into payments values ($1)', [paymentId])
    return receipt
  })

/** Keeps the only connection of the storage busy while the work runs. */
const withBusyStorage = async <T>({ storage }: Given, work: () => Promise<T>): Promise<T> => {
  let release = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  let taken = () => {}
  const isTaken = new Promise<void>((resolve) => {
    taken = resolve
  })
  const holding = storage.transaction(async (tx) => {
    await tx.users.byId(1)
    taken()
    await released
  })
  await isTaken
  try {
    return await work()
  } finally {
    release()
    await holding
  }
}

describe('a call with the only connection of a host whose users are its own', () => {
  it('books several approvals at once, while the storage has no free connection', async () => {
    const test = await given()
    const ids = [await approvedPayment(test), await approvedPayment(test), await approvedPayment(test)]
    const receipts = await withBusyStorage(test, () => Promise.all(ids.map((id, index) => book(test, id, index))))
    expect(receipts).toStrictEqual(ids.map(() => expect.stringContaining('~')))
    expect((await test.pool.query('select id from payments order by id')).rows).toStrictEqual([{ id: 0 }, { id: 1 }, { id: 2 }])
  })

  it('passes a gate, whose action is read on the same connection', async () => {
    const test = await given()
    const ids = [await approvedPayment(test, 'bank.pay'), await approvedPayment(test, 'bank.pay')]
    const gate = test.countersign.createGate<undefined>({
      name: 'bank.pay',
      actionType: payment.actionType,
      build: async (_, { client }) => {
        await client?.query('select count(*) from payments', [])
        return { actionPayload: payment.actionPayload }
      },
    })
    const passing = ids.map((confirmationId) =>
      inTransaction(test.pool, (client) => gate({ caller: test.user.web.caller, confirmationId, action: undefined }, { client })),
    )
    const passed = await withBusyStorage(test, () => Promise.all(passing))
    expect(passed).toStrictEqual(ids.map(() => ({ receipts: [expect.any(String)], consumedAt: test.clock.now() })))
  })

  it('refuses the approval of a user who has left, and the next request finds every session ended', async () => {
    const test = await given()
    const id = await approvedPayment(test)
    await test.pool.query('update people set has_left = true')
    await expect(withBusyStorage(test, () => book(test, id, 1))).rejects.toMatchObject({ code: 'confirmation_not_approved' })
    const { accessToken: token } = test.user.web.tokens
    await expect(test.countersign.auth.authenticate({ token })).rejects.toMatchObject({ kind: 'unauthenticated' })
  })

  it('sees a change of the user that the same transaction made, and keeps it with the booking', async () => {
    const test = await given()
    const id = await approvedPayment(test)
    await inTransaction(test.pool, async (client) => {
      await client.query(`update people set email = 'ada@bank.example'`)
      await consume(test, id, 1, client)
    })
    expect(await test.storage.users.byId(test.user.user.id)).toMatchObject({ email: 'ada@bank.example' })
  })
  it('hands the transaction of a query builder back to the directory, which queries on it', async () => {
    const test = await given(drizzleDirectory)
    const id = await approvedPayment(test)
    await withBusyStorage(test, () =>
      drizzle(test.pool).transaction(async (tx) => {
        await tx.execute(sql`update people set email = 'ada@bank.example'`)
        await consume(test, id, 1, fromDrizzle(tx))
      }),
    )
    expect(await test.storage.users.byId(test.user.user.id)).toMatchObject({ email: 'ada@bank.example' })
  })
})
