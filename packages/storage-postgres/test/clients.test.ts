import { DatabaseSync } from 'node:sqlite'
import type { HostClient } from '@countersign/core'
import { type DeviceUser, signInNewDeviceUser, validPayloads } from '@countersign/core/testing'
import { createTestCountersign, type TestCountersign } from '@countersign/storage-sqlite/testing'
import { drizzle } from 'drizzle-orm/node-postgres'
import { drizzle as drizzleOnPostgresJs } from 'drizzle-orm/postgres-js'
import { sql } from 'drizzle-orm/sql'
import createKnex from 'knex'
import { CamelCasePlugin, Kysely, ParseJSONResultsPlugin, PostgresDialect } from 'kysely'
import pg from 'pg'
import createPostgres from 'postgres'
import { DataSource } from 'typeorm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createPostgresDatabase, type PostgresDatabase } from '../../../tools/testing/create-postgres-database.ts'
import { from, fromDrizzle, fromKnex, fromKysely, fromPg, fromTypeOrm } from '../src/clients/index.ts'
import { openPostgres } from '../src/index.ts'
import { approvedPayment, inTransaction } from './host.ts'
import { prismaOn } from './prisma.ts'

const actionType = 'payment_approval'
const actionPayload = validPayloads.payment_approval

/** A query builder as a host uses it. */
interface Library {
  /** Runs the work in a transaction, with a client for Countersign, and with a function that books a payment in the transaction. */
  transaction<T>(work: (client: HostClient, book: (payment: number) => Promise<unknown>) => Promise<T>): Promise<T>
  /** Returns a client for Countersign outside of a transaction. */
  outside(): HostClient
  close(): Promise<unknown>
}

type Open = (url: string) => Library | Promise<Library>

/** Parsers of a host that reads each type in a way of its own. */
const types: pg.CustomTypesConfig = {
  getTypeParser: (oid: number) =>
    ({
      [pg.types.builtins.INT8]: BigInt,
      [pg.types.builtins.TEXT]: () => 'a text of the host',
      [pg.types.builtins.JSON]: () => 'a JSON of the host',
      [pg.types.builtins.BOOL]: (text: string) => `a boolean ${text}`,
    })[oid] ?? ((text: string) => text),
}

const BOOK = 'insert into payments values'

const hostPool = (connectionString: string) => new pg.Pool({ connectionString, max: 20, types })

const libraries: Readonly<Record<string, Open>> = {
  pg: (url) => {
    const pool = hostPool(url)
    return {
      transaction: (work) =>
        inTransaction(pool, (client) => work(fromPg(client), (payment) => client.query(`${BOOK} ($1)`, [payment]))),
      outside: () => pool,
      close: () => pool.end(),
    }
  },

  'Kysely with CamelCasePlugin and ParseJSONResultsPlugin': (url) => {
    const db = new Kysely<{ payments: { id: number } }>({
      dialect: new PostgresDialect({ pool: hostPool(url) }),
      plugins: [new CamelCasePlugin(), new ParseJSONResultsPlugin()],
    })
    return {
      transaction: (work) =>
        db.transaction().execute((trx) => work(fromKysely(trx), (id) => trx.insertInto('payments').values({ id }).execute())),
      outside: () => fromKysely(db),
      close: () => db.destroy(),
    }
  },

  'Drizzle on pg': (url) => {
    const pool = hostPool(url)
    const db = drizzle(pool)
    return {
      transaction: (work) =>
        db.transaction((tx) => work(fromDrizzle(tx), (id) => tx.execute(sql`insert into payments values (${id})`))),
      outside: () => fromDrizzle(db),
      close: () => pool.end(),
    }
  },

  'Drizzle on postgres.js': (url) => {
    const client = createPostgres(url, { max: 20 })
    const db = drizzleOnPostgresJs(client)
    return {
      transaction: (work) =>
        db.transaction((tx) => work(fromDrizzle(tx), async (id) => tx.execute(sql`insert into payments values (${id})`))),
      outside: () => fromDrizzle(db),
      close: () => client.end(),
    }
  },

  'Knex with a mapper of names': (url) => {
    const toUpper = (row: object) => Object.fromEntries(Object.entries(row).map(([name, value]) => [name.toUpperCase(), value]))
    const knex = createKnex({
      client: 'pg',
      // Knex asks for the version otherwise, and cannot read the answer with these parsers.
      version: '18.4',
      connection: { connectionString: url, types } as createKnex.Knex.PgConnectionConfig,
      pool: { min: 0, max: 20 },
      postProcessResponse: (answer: { rows?: object[] }) => ({ ...answer, rows: answer.rows?.map(toUpper) }),
    })
    return {
      transaction: (work) => knex.transaction((trx) => work(fromKnex(trx), (id) => trx.raw(`${BOOK} (?)`, [id]))),
      outside: () => fromKnex(knex as unknown as createKnex.Knex.Transaction),
      close: () => knex.destroy(),
    }
  },

  TypeORM: async (url) => {
    const source = await new DataSource({ type: 'postgres', url, poolSize: 20, parseInt8: true, extra: { types } }).initialize()
    return {
      transaction: (work) =>
        source.transaction((manager) => work(fromTypeOrm(manager), (id) => manager.query(`${BOOK} ($1)`, [id]))),
      outside: () => fromTypeOrm(source.manager),
      close: () => source.destroy(),
    }
  },

  'Prisma by a query function': async (url) => {
    const db = await prismaOn(hostPool(url))
    return {
      transaction: (work) =>
        db.$transaction((tx) =>
          work(
            from((text, values) => tx.$queryRawUnsafe(text, ...values), tx),
            (id) => tx.payments.create({ data: { id } }),
          ),
        ),
      outside: () => from((text, values) => db.$queryRawUnsafe(text, ...values)),
      close: () => db.$disconnect(),
    }
  },

  'postgres.js by a query function': (url) => {
    const client = createPostgres(url, {
      max: 20,
      transform: {
        ...createPostgres.toPascal,
        value: { from: (value: unknown, { type }: { type: number }) => (type === 25 ? 'x' : value) },
      },
    })
    return {
      transaction: <T>(work: (client: HostClient, book: (id: number) => Promise<unknown>) => Promise<T>) =>
        client.begin((tx) =>
          work(
            from((text, values) => tx.unsafe(text, values)),
            (id) => tx`insert into payments values (${id})`,
          ),
        ) as Promise<T>,
      outside: () => from((text, values) => client.unsafe(text, values)),
      close: () => client.end(),
    }
  },
}

let database: PostgresDatabase
let other: PostgresDatabase
let test: TestCountersign
let user: DeviceUser

beforeAll(async () => {
  database = await createPostgresDatabase()
  other = await createPostgresDatabase()
  const storage = await openPostgres({ url: database.url, schema: 'approvals' })
  await storage.migrate()
  await database.query('create table payments (id integer primary key)')
  test = await createTestCountersign({ storage })
  user = await signInNewDeviceUser(test)
})

afterAll(async () => {
  await test.storage.close()
  await database.drop()
  await other.drop()
})

describe.each(Object.entries(libraries))('a transaction of %s', (_, open) => {
  let library: Library

  beforeAll(async () => {
    await database.query('delete from payments')
    library = await open(database.url)
  })

  afterAll(() => library.close())

  const use = (confirmationId: string, payment: number, client: HostClient) => {
    const input = { confirmationId, userId: user.user.id, actionType, actionPayload, consumedBy: `payment ${payment}` }
    return test.countersign.confirmations.consume(input, { client })
  }

  const pay = (confirmationId: string, payment: number) =>
    library.transaction(async (client, book) => {
      const used = await use(confirmationId, payment, client)
      await book(payment)
      return used
    })

  const payments = async () => (await database.query('select id from payments order by id')) as readonly { id: number }[]
  const stored = (id: string) => test.storage.confirmations.byId(id)

  it('books once if 50 bookings race, and gets the receipt', async () => {
    const id = await approvedPayment({ ...test, user })
    const outcomes = await Promise.allSettled(Array.from({ length: 50 }, (_, payment) => pay(id, payment)))
    const won = outcomes.filter((outcome) => outcome.status === 'fulfilled').map(({ value }) => value)
    expect(won).toStrictEqual([{ receipt: expect.stringMatching(/^eyJ/), consumedAt: test.clock.now() }])
    for (const outcome of outcomes) {
      if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject({ code: 'confirmation_consumed' })
    }
    const booked = await payments()
    expect(booked).toHaveLength(1)
    expect(await stored(id)).toMatchObject({ consumedAt: test.clock.now(), consumedBy: `host:payment ${booked[0]?.id}` })
  })

  it('that is rolled back leaves the approval unused', async () => {
    const id = await approvedPayment({ ...test, user })
    const failing = library.transaction(async (client, book) => {
      await use(id, 100, client)
      await book(100)
      throw new Error('the host has changed its mind')
    })
    await expect(failing).rejects.toThrow('changed its mind')
    expect(await stored(id)).toMatchObject({ consumedAt: null, consumedBy: null })
    await pay(id, 101)
    expect(await payments()).toContainEqual({ id: 101 })
    expect(await payments()).not.toContainEqual({ id: 100 })
  })

  it('of another database is refused with a sentence that says so, with the error of the library as cause', async () => {
    const elsewhere = await open(other.url)
    const refused = elsewhere.transaction((client) => use('conf_1', 300, client))
    await expect(refused).rejects.toMatchObject({
      name: 'TypeError',
      message: 'client must be a transaction of the database that has the tables of Countersign',
      cause: expect.any(Error),
    })
    await elsewhere.close()
  })

  it('is necessary: with a client outside of a transaction, no approval is used', async () => {
    const id = await approvedPayment({ ...test, user })
    await expect((async () => use(id, 200, library.outside()))()).rejects.toThrow(TypeError)
    expect(await stored(id)).toMatchObject({ consumedAt: null })
  })
})

it('a transaction of SQLite is refused with a sentence that says what a client must be', async () => {
  const sqlite = new DatabaseSync(':memory:')
  const client = from(async (text, values) => sqlite.prepare(text).all(...values))
  const use = { confirmationId: 'conf_1', userId: user.user.id, actionType, actionPayload, consumedBy: 'payment 1' }
  await expect(test.countersign.confirmations.consume(use, { client })).rejects.toThrow(
    new TypeError('client must be a transaction of the database that has the tables of Countersign'),
  )
})
