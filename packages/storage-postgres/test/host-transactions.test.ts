import type { HostGate } from '@countersign/core'
import { type DeviceUser, signInNewDeviceUser } from '@countersign/core/testing'
import { createTestCountersign, type TestCountersign } from '@countersign/storage-sqlite/testing'
import pg from 'pg'
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { openPool } from '../../../tools/testing/open-pool.ts'
import { openPostgres } from '../src/index.ts'
import { approvedPayment, inTransaction, payment } from './host.ts'
import { newDatabase } from './open-migrated.ts'

interface Given extends TestCountersign {
  readonly user: DeviceUser
  /** Connections of the host, which has tables of its own in `public`, among them `users` and `confirmations`. */
  readonly pool: pg.Pool
}

const given = async (schema = 'approvals'): Promise<Given> => {
  const url = await newDatabase()
  const storage = await openPostgres({ url, schema })
  await storage.migrate()
  onTestFinished(() => storage.close())
  const pool = openPool({ connectionString: url, max: 20 })
  await pool.query(`
    create table payments (id integer primary key, confirmation_id text not null);
    create table users (id text); create table confirmations (id text); create table devices (id text)`)
  const test = await createTestCountersign({ storage })
  return { ...test, user: await signInNewDeviceUser(test), pool }
}

/** Consumes and writes a payment, in a transaction of the host. */
const pay = (test: Given, confirmationId: string, paymentId: number, end: 'commit' | 'rollback' = 'commit') =>
  inTransaction(
    test.pool,
    async (client) => {
      const use = { ...payment, confirmationId, userId: test.user.user.id, consumedBy: `payment ${paymentId}` }
      await test.countersign.confirmations.consume(use, { client })
      await client.query('insert into payments values ($1, $2)', [paymentId, confirmationId])
    },
    end,
  )

const payments = async ({ pool }: Given) => (await pool.query('select * from payments order by id')).rows as unknown[]
const stored = ({ storage }: Given, id: string) => storage.confirmations.byId(id)

let test: Awaited<ReturnType<typeof given>>
beforeEach(async () => {
  test = await given()
})

describe('consuming an approval in a transaction of the host', () => {
  it('commits together with the business write', async () => {
    const id = await approvedPayment(test)
    await pay(test, id, 1)
    expect(await payments(test)).toStrictEqual([{ id: 1, confirmation_id: id }])
    expect(await stored(test, id)).toMatchObject({ consumedAt: test.clock.now(), consumedBy: 'host:payment 1' })
  })

  it('is rolled back with the business write, and the approval stays unspent', async () => {
    const id = await approvedPayment(test)
    await pay(test, id, 1, 'rollback')
    expect(await payments(test)).toStrictEqual([])
    expect(await stored(test, id)).toMatchObject({ consumedAt: null, consumedBy: null })
    await pay(test, id, 2)
    expect(await payments(test)).toHaveLength(1)
  })

  it('is refused a second time, also for the same operation, so the business write is not made', async () => {
    const id = await approvedPayment(test)
    await pay(test, id, 1)
    for (const again of [1, 2]) await expect(pay(test, id, again)).rejects.toMatchObject({ code: 'confirmation_consumed' })
    expect(await payments(test)).toHaveLength(1)
  })

  it('succeeds for one of 100 transactions at the same time', async () => {
    const id = await approvedPayment(test)
    const outcomes = await Promise.allSettled(Array.from({ length: 100 }, (_, index) => pay(test, id, index)))
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    for (const outcome of outcomes) {
      if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject({ code: 'confirmation_consumed' })
    }
    expect(await payments(test)).toHaveLength(1)
  })

  it('waits for another transaction that uses the approval, and succeeds if that transaction is rolled back', async () => {
    const id = await approvedPayment(test)
    const first = await test.pool.connect()
    await first.query('begin')
    const use = { confirmationId: id, userId: test.user.user.id, ...payment }
    await test.countersign.confirmations.consume({ ...use, consumedBy: 'first' }, { client: first })
    const second = pay(test, id, 2)
    await first.query('rollback')
    first.release()
    await second
    expect(await stored(test, id)).toMatchObject({ consumedBy: 'host:payment 2' })
  })

  it('and the lock of the account at the same time have one winner', async () => {
    const { email } = test.user.user
    const id = await approvedPayment(test)
    const outcomes = await Promise.allSettled([pay(test, id, 1), test.countersign.users.lock({ email })])
    const after = await stored(test, id)
    if (outcomes[0].status === 'fulfilled') expect(after).toMatchObject({ consumedAt: expect.any(Number), voidedAt: null })
    else expect(after).toMatchObject({ consumedAt: null, voidedAt: expect.any(Number) })
    expect(outcomes[1].status).toBe('fulfilled')
    expect(await payments(test)).toHaveLength(outcomes[0].status === 'fulfilled' ? 1 : 0)
  })

  it("works with a host's own search path, parsers and settings", async () => {
    const id = await approvedPayment(test)
    const client = await test.pool.connect()
    client.setTypeParser(pg.types.builtins.INT8, () => 'a bigint of the host')
    client.setTypeParser(pg.types.builtins.TEXT, () => 'a text of the host')
    await client.query(`set search_path = public; begin; set local datestyle = 'SQL, DMY'`)
    const use = { confirmationId: id, userId: test.user.user.id, ...payment }
    const { consumedAt } = await test.countersign.confirmations.consume({ ...use, consumedBy: 'payment 1' }, { client })
    expect(consumedAt).toBe(test.clock.now())
    await client.query('commit')
    client.release(true)
  })

  it('leaves no state in the session of the host, and neither commits nor rolls back', async () => {
    const id = await approvedPayment(test)
    const client = await test.pool.connect()
    const session = async () => {
      const { rows } = await client.query(`
        select (select count(*) from pg_prepared_statements) as prepared, (select count(*) from pg_cursors) as cursors,
          current_setting('search_path') as path, current_setting('statement_timeout') as timeout,
          (select count(*) from pg_locks where pid = pg_backend_pid() and locktype = 'advisory') as locks`)
      return rows as unknown
    }
    const listeners = client.listenerCount('error')
    await client.query('begin')
    const before = await session()
    const transaction = async () => (await client.query('select pg_current_xact_id()::text as id')).rows as unknown
    const begun = await transaction()
    const use = { confirmationId: id, userId: test.user.user.id, ...payment }
    await test.countersign.confirmations.consume({ ...use, consumedBy: 'payment 1' }, { client })
    expect(await transaction()).toStrictEqual(begun)
    await client.query('rollback')
    expect(await session()).toStrictEqual(before)
    expect(client.listenerCount('error')).toBe(listeners)
    client.release()
  })

  it('finds its tables also if the process has another storage with another schema', async () => {
    for (const schema of ['one', 'other']) {
      const test = await given(schema)
      await pay(test, await approvedPayment(test), 1)
      expect(await payments(test)).toHaveLength(1)
    }
  })

  it('passes errors of the client unchanged', async () => {
    const id = await approvedPayment(test)
    const client = await test.pool.connect()
    await client.query('begin')
    await expect(client.query('select 1/0')).rejects.toThrow()
    const use = { confirmationId: id, userId: test.user.user.id, ...payment }
    const consuming = test.countersign.confirmations.consume({ ...use, consumedBy: 'payment 1' }, { client })
    await expect(consuming).rejects.toMatchObject({ code: '25P02' })
    await client.query('rollback')
    client.release()
  })

  it('refuses a pool, and a client outside of a transaction', async () => {
    const id = await approvedPayment(test)
    const client = await test.pool.connect()
    const use = { confirmationId: id, userId: test.user.user.id, ...payment }
    for (const [wrong, message] of [
      [test.pool, /not the pool itself/],
      [client, /inside a transaction/],
    ] as const) {
      const consuming = test.countersign.confirmations.consume({ ...use, consumedBy: 'x' }, { client: wrong })
      await expect(consuming).rejects.toThrow(TypeError)
      await expect(consuming).rejects.toThrow(message)
    }
    client.release()
    expect(await stored(test, id)).toMatchObject({ consumedAt: null })
  })

  it("needs only the documented rights for the host's database role", async () => {
    const id = await approvedPayment(test)
    const role = `host_${test.user.user.id}_${Date.now()}`
    await test.pool.query(`
      create role ${role}; grant usage on schema approvals to ${role};
      grant select, update (consumed_at, consumed_by, consumed_key, consumed_receipt) on approvals.confirmations to ${role};
      grant select on approvals.users, approvals.devices, approvals.passkeys, approvals.vouchings to ${role};
      grant select on approvals.device_registrations, approvals.receipt_keys to ${role}`)
    // Publishes the key of receipts, for which the role of the host has no right.
    await test.countersign.receipts.keys()
    test.clock.advance(5000)
    const client = await test.pool.connect()
    await client.query(`begin; set local role ${role}`)
    const use = { confirmationId: id, userId: test.user.user.id, ...payment }
    await expect(test.countersign.confirmations.consume({ ...use, consumedBy: 'payment 1' }, { client })).resolves.toMatchObject({
      consumedAt: test.clock.now(),
    })
    await client.query(`commit`)
    client.release()
    await test.pool.query(`drop owned by ${role}; drop role ${role}`)
  })
})

describe('a gate of the host in a transaction of the host', () => {
  const { actionType, actionPayload } = payment
  const gateOf = ({ countersign }: Given) =>
    countersign.createGate<undefined>({ name: 'bank.pay', actionType, build: () => ({ actionPayload }) })

  /** Passes the gate and writes a payment. */
  const payThroughGate = (
    test: Given,
    gate: HostGate<undefined>,
    { confirmationId, id, end }: { readonly confirmationId: string; readonly id: number; readonly end?: 'rollback' },
  ) =>
    inTransaction(
      test.pool,
      async (client) => {
        await client.query('insert into payments values ($1, $2)', [id, confirmationId])
        await gate({ caller: test.user.web.caller, confirmationId, action: undefined }, { client })
      },
      end,
    )

  it('commits together with the business write, and uses the approval once', async () => {
    const gate = gateOf(test)
    const confirmationId = await approvedPayment(test, 'bank.pay')
    await payThroughGate(test, gate, { confirmationId, id: 1 })
    expect(await stored(test, confirmationId)).toMatchObject({ consumedBy: 'gate:bank.pay' })
    await expect(payThroughGate(test, gate, { confirmationId, id: 2 })).rejects.toMatchObject({ code: 'confirmation_consumed' })
    expect(await payments(test)).toStrictEqual([{ id: 1, confirmation_id: confirmationId }])
  })

  it('leaves the approval unused if the host rolls back', async () => {
    const gate = gateOf(test)
    const confirmationId = await approvedPayment(test, 'bank.pay')
    await payThroughGate(test, gate, { confirmationId, id: 1, end: 'rollback' })
    expect(await stored(test, confirmationId)).toMatchObject({ consumedAt: null, consumedBy: null })
    await payThroughGate(test, gate, { confirmationId, id: 2 })
    expect(await payments(test)).toStrictEqual([{ id: 2, confirmation_id: confirmationId }])
  })

  it('requires a client, unless the host says `none`', async () => {
    const gate = gateOf(test)
    const confirmationId = await approvedPayment(test, 'bank.pay')
    const call = { caller: test.user.web.caller, confirmationId, action: undefined }
    await expect(gate(call)).rejects.toThrow(/client must be given/)
    expect(await stored(test, confirmationId)).toMatchObject({ consumedAt: null })
    expect(await gate(call, { client: 'none' })).toMatchObject({ consumedAt: test.clock.now() })
    await expect(gate(call, { client: 'none' })).rejects.toMatchObject({ code: 'confirmation_consumed' })
  })
})
