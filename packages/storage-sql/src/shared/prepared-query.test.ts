import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresQueryCompiler,
  type QueryResult,
  SqliteAdapter,
  SqliteQueryCompiler,
  sql,
} from 'kysely'
import { describe, expect, it } from 'vitest'
import type { Tables } from '../tables/index.ts'
import { hostTransaction } from './open-database.ts'
import { preparedQuery, rowOf, statementNameOf } from './prepared-query.ts'
import type { RowLocks } from './row-locks.ts'
import { runsBy } from './run-compiled.ts'

/** Returns the database of the stores. No query of these tests locks a row. */
const on = (db: Kysely<Tables>) => hostTransaction(db, {} as RowLocks)

/** A fake database that records its queries and returns no rows. */
const recording = (kind: 'sqlite' | 'postgres' = 'sqlite') => {
  const asked: CompiledQuery[] = []
  const connection: DatabaseConnection = {
    executeQuery: async <R>(query: CompiledQuery): Promise<QueryResult<R>> => {
      asked.push(query)
      return { rows: [] }
    },
    streamQuery: () => {
      throw new Error('nothing is streamed')
    },
  }
  class Driver extends DummyDriver {
    override acquireConnection = async (): Promise<DatabaseConnection> => connection
  }
  const dialect: Dialect = {
    createDriver: () => new Driver(),
    createQueryCompiler: () => (kind === 'sqlite' ? new SqliteQueryCompiler() : new PostgresQueryCompiler()),
    createAdapter: () => (kind === 'sqlite' ? new SqliteAdapter() : new PostgresAdapter()),
    createIntrospector: () => {
      throw new Error('nothing is looked up')
    },
  }
  return { db: new Kysely<Tables>({ dialect }), asked }
}

/** Returns a query that counts how often it was built. */
const counted = () => {
  let built = 0
  const query = preparedQuery((db, { id, reason }: { readonly id: string; readonly reason: string | null }) => {
    built += 1
    return db
      .updateTable('sessions')
      .set({ previous_refresh_token_id: reason, rotated_at: 3 })
      .where('id', '=', id)
      .where(sql<boolean>`${id} <> 'x'`)
  })
  return { query, built: () => built }
}

describe('a prepared query', () => {
  it('is built once and receives the values of each call, including repeated values and NULL', async () => {
    const { db, asked } = recording()
    const { query, built } = counted()
    await query.affected(on(db), { id: 'a', reason: null })
    await query.affected(on(db), { reason: 'why', id: 'b' })
    expect(built()).toBe(1)
    expect(asked.map(({ parameters }) => parameters)).toStrictEqual([
      [null, 3, 'a', 'a'],
      ['why', 3, 'b', 'b'],
    ])
    expect(new Set(asked.map((one) => one.sql)).size).toBe(1)
  })

  it('does not mix the values of concurrent calls', async () => {
    const { db, asked } = recording()
    const { query } = counted()
    await Promise.all(['a', 'b', 'c'].map((id) => query.all(on(db), { id, reason: id })))
    expect(asked.map(({ parameters }) => parameters[2])).toStrictEqual(['a', 'b', 'c'])
  })

  it('is compiled separately for each kind of database', async () => {
    const { query, built } = counted()
    const [sqlite, postgres, another] = [recording(), recording('postgres'), recording('postgres')]
    for (const { db } of [sqlite, postgres, another, sqlite, postgres]) await query.all(on(db), { id: 'a', reason: null })
    expect(built()).toBe(3)
    expect(sqlite.asked.map((one) => one.sql)).toStrictEqual(Array(2).fill(expect.stringContaining('"id" = ?')))
    expect(postgres.asked.map((one) => one.sql)).toStrictEqual(Array(2).fill(expect.stringContaining('"id" = $3')))
  })

  it('behaves the same in a transaction', async () => {
    const { db, asked } = recording()
    const { query, built } = counted()
    await db.transaction().execute((tx) => query.all(on(tx), { id: 'a', reason: null }))
    await query.all(on(db), { id: 'b', reason: null })
    expect(built()).toBe(1)
    expect(asked.map(({ parameters }) => parameters[2])).toStrictEqual(['a', 'b'])
  })

  it('passes values that look like SQL as plain values', async () => {
    const { db, asked } = recording()
    const { query } = counted()
    const hostile = `'; drop table users; --`
    await query.all(on(db), { id: hostile, reason: '$1' })
    expect(asked[0]?.sql).not.toContain('drop')
    expect(asked[0]?.parameters).toStrictEqual(['$1', 3, hostile, hostile])
  })

  it('throws when a value is missing', async () => {
    const { db, asked } = recording()
    const { query } = counted()
    const incomplete = { id: 'a' } as { id: string; reason: null }
    await expect(query.all(on(db), incomplete)).rejects.toThrow('reason')
    await expect(query.all(on(db), { id: 'a', reason: undefined as unknown as null })).rejects.toThrow('reason')
    expect(asked).toStrictEqual([])
  })

  it('inserts the named columns in their order', async () => {
    const { db, asked } = recording()
    const columns = ['account', 'last_at', 'count'] as const
    const insert = preparedQuery(
      (failures, row: { readonly account: string; readonly count: number; readonly last_at: number }) =>
        failures.insertInto('login_failures').values(rowOf(row, columns)),
    )
    await insert.affected(on(db), { count: 0, last_at: 7, account: '' })
    expect(asked[0]?.parameters).toStrictEqual(['', 7, 0])
  })

  it('has a name that depends only on its text', async () => {
    const { db, asked } = recording()
    await counted().query.all(on(db), { id: 'a', reason: null })
    await counted().query.all(on(db), { id: 'b', reason: 'why' })
    const other = preparedQuery((users, { id }: { readonly id: string }) =>
      users.selectFrom('users').select('id').where('email', '=', id),
    )
    await other.all(on(db), { id: 'a' })
    const names = asked.map(statementNameOf)
    expect(names[0]).toMatch(/^prepared_[0-9a-f]{32}$/)
    expect(names[1]).toBe(names[0])
    expect(names[2]).not.toBe(names[0])
    await db.selectFrom('users').select('id').execute()
    expect(asked.map(statementNameOf).at(-1)).toBeUndefined()
  })
})

describe('a prepared query on a database that runs queries by a function', () => {
  it('runs immediately, without Kysely', async () => {
    const { db, asked } = recording()
    const run: unknown[] = []
    const rows = [{ n: 1 }, { n: 2 }]
    const past = runsBy(db, ({ sql: text, parameters }) => {
      run.push([text, parameters])
      return { rows, numAffectedRows: 2n }
    })
    const { query, built } = counted()
    const answers = [query.all(on(past), { id: 'a', reason: null }), query.first(on(past), { id: 'b', reason: 'why' })]
    expect(run).toHaveLength(2)
    expect(await Promise.all(answers)).toStrictEqual([rows, { n: 1 }])
    expect(await query.affected(on(past), { id: 'c', reason: null })).toBe(2)
    expect(run[0]).toStrictEqual([expect.stringContaining('"id" = ?'), [null, 3, 'a', 'a']])
    expect([built(), asked.length]).toStrictEqual([1, 0])
  })

  it('rejects when running it throws and when a value is missing', async () => {
    const failure = new Error('disk full')
    const db = runsBy(recording().db, () => {
      throw failure
    })
    const { query } = counted()
    await expect(query.all(on(db), { id: 'a', reason: null })).rejects.toBe(failure)
    await expect(query.all(on(db), { id: 'a' } as { id: string; reason: null })).rejects.toThrow('was given no reason')
  })

  it('runs through Kysely inside a Kysely transaction', async () => {
    const { db, asked } = recording()
    const past = runsBy(db, () => {
      throw new Error('was run on another connection')
    })
    const { query } = counted()
    await past.transaction().execute((tx) => query.all(on(tx), { id: 'a', reason: null }))
    expect(asked.filter(({ parameters }) => parameters.length > 0)).toHaveLength(1)
  })
})
