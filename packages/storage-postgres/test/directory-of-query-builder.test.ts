import type { HostClient, UserDirectory } from '@countersign/core'
import { drizzle, type NodePgDatabase } from 'drizzle-orm/node-postgres'
import { type SQL, sql } from 'drizzle-orm/sql'
import createKnex, { type Knex } from 'knex'
import { Kysely, PostgresDialect } from 'kysely'
import type pg from 'pg'
import { DataSource, type EntityManager, EntitySchema } from 'typeorm'
import { expect, it, onTestFinished } from 'vitest'
import { from, fromDrizzle, fromKnex, fromKysely, fromTypeOrm } from '../src/clients/index.ts'
import { approvedPayment } from './host.ts'
import { consume, openHost, toUser, withBusyStorage } from './host-with-directory.ts'
import { type PrismaQueries, prismaOn } from './prisma.ts'

interface Person {
  readonly id: string
  readonly email: string
}

/** A host whose directory and whose transactions use one query builder, with one connection. */
interface Host {
  readonly directory: UserDirectory
  /** Runs the work in a transaction that has changed the email of every person before. */
  afterChange(email: string, work: (client: HostClient) => Promise<unknown>): Promise<unknown>
}

/** Makes a directory from a function that finds people on a transaction, or else on the database. */
const directoryOf = <Tx>(db: Tx, find: (on: Tx, person: Partial<Person>) => Promise<readonly unknown[]>): UserDirectory<Tx> => ({
  byEmail: async (email) => toUser(await find(db, { email })),
  byId: async (id, within) => toUser(await find(within?.transaction ?? db, { id })),
})

const hosts: Readonly<Record<string, (pool: pg.Pool, url: string) => Host | Promise<Host>>> = {
  Drizzle: (pool) => {
    const db = drizzle(pool)
    const is = ({ id, email }: Partial<Person>): SQL => (id === undefined ? sql`email = ${email}` : sql`id = ${id}`)
    return {
      directory: directoryOf<Pick<NodePgDatabase, 'execute'>>(
        db,
        async (on, person) => (await on.execute(sql`select * from people where ${is(person)}`)).rows,
      ),
      afterChange: (email, work) =>
        db.transaction(async (tx) => {
          await tx.execute(sql`update people set email = ${email}`)
          return work(fromDrizzle(tx))
        }),
    }
  },

  Kysely: (pool) => {
    const db = new Kysely<{ people: Person }>({ dialect: new PostgresDialect({ pool }) })
    return {
      directory: directoryOf(db, (on, person) =>
        on
          .selectFrom('people')
          .selectAll()
          .where((eb) => eb.and(person))
          .execute(),
      ),
      afterChange: (email, work) =>
        db.transaction().execute(async (trx) => {
          await trx.updateTable('people').set({ email }).execute()
          return work(fromKysely(trx))
        }),
    }
  },

  Knex: (_, url) => {
    const db = createKnex({ client: 'pg', connection: url, pool: { min: 0, max: 1 }, acquireConnectionTimeout: 3000 })
    onTestFinished(() => db.destroy())
    return {
      directory: directoryOf<Knex>(db, async (on, person) => on('people').where(person)),
      afterChange: (email, work) =>
        db.transaction(async (trx) => {
          await trx('people').update({ email })
          return work(fromKnex(trx))
        }),
    }
  },

  TypeORM: async (_, url) => {
    const text = { type: 'text' } as const
    const columns = { id: { ...text, primary: true }, email: text, hash: text, has_left: { type: 'boolean' } } as const
    const people = new EntitySchema<Person>({ name: 'people', columns })
    const source = new DataSource({ type: 'postgres', url, poolSize: 1, entities: [people], connectTimeoutMS: 3000 })
    await source.initialize()
    onTestFinished(() => source.destroy())
    return {
      directory: directoryOf<EntityManager>(source.manager, (on, person) => on.findBy(people, person)),
      afterChange: (email, work) =>
        source.transaction(async (manager) => {
          await manager.updateAll(people, { email })
          return work(fromTypeOrm(manager))
        }),
    }
  },

  Prisma: async (pool) => {
    const db = await prismaOn(pool)
    return {
      directory: directoryOf<PrismaQueries>(db, (on, where) => on.people.findMany({ where })),
      afterChange: (email, work) =>
        db.$transaction(async (tx) => {
          await tx.people.updateMany({ data: { email } })
          return work(from((sql, values) => tx.$queryRawUnsafe(sql, ...values), tx))
        }),
    }
  },
}

it.each(Object.entries(hosts))('%s gets its own transaction back in the directory, which queries on it', async (_, open) => {
  let host: Host | undefined
  const test = await openHost(async (pool, url) => {
    host = await open(pool, url)
    return host.directory
  })
  const id = await approvedPayment(test)
  await withBusyStorage(test, async () => host?.afterChange('ada@bank.example', (client) => consume(test, id, 1, client)))
  expect(await test.storage.users.byId(test.user.user.id)).toMatchObject({ email: 'ada@bank.example' })
  expect(await test.storage.confirmations.byId(id)).toMatchObject({ consumedBy: 'host:payment 1' })
})
