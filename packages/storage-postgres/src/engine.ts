import type { StorageObserver } from '@countersign/core'
import { type Engine, placedTables, runsBy, type Tables } from '@countersign/storage-sql'
import { type CompiledQuery, Kysely, PostgresAdapter, sql } from 'kysely'
import { batchWrites } from './batch-writes.ts'
import { checkOut } from './connection.ts'
import type { Share } from './connection-queue.ts'
import { postgresDialect } from './dialect.ts'
import { disableTimeouts } from './disable-timeouts.ts'
import { hostClientDialect } from './host-client.ts'
import { inBatches } from './in-batches.ts'
import { refuse } from './operator-error.ts'
import { createPoolWithoutTimeouts, type Pool } from './pool.ts'
import { runMigration } from './run-migration.ts'
import type { Connector } from './servers/connector.ts'
import { type ObservedQuery, observeBy } from './statements/observe-statements.ts'
import { requireTables } from './table-check.ts'
import { withRetries } from './with-retries.ts'
import { createWriteProbe } from './write-probe.ts'

interface EngineOptions {
  readonly schema: string
  readonly tables: readonly string[]
  /** Is called with the statements of the pool, except for statements that may take long, such as migrations. */
  readonly observer: StorageObserver | undefined
}

export interface Connections {
  readonly servers: Connector
  readonly pool: Pool
  readonly probePool: Pool
}

export const postgresEngine = (
  { servers, pool, probePool }: Connections,
  writes: Share,
  { schema, tables, observer }: EngineOptions,
): Engine => {
  const observe = observeBy(observer)
  const writePool = pool.within(writes)
  const plugins = [placedTables({ schema })]
  const hostAdapter = new PostgresAdapter()
  const db = new Kysely<Tables>({ dialect: postgresDialect(writePool, observe), plugins })
  /** Adds the observer of the caller, because a batch is sent from another asynchronous context. */
  const observedQuery = (query: CompiledQuery): ObservedQuery => ({ ...query, tell: observe(query.sql) })
  const batchRead = inBatches(
    () => checkOut(pool, observe),
    (connection, queries: readonly CompiledQuery[]) => connection.readAll(queries),
  )
  const readDb = runsBy(new Kysely<Tables>({ dialect: postgresDialect(pool, observe), plugins }), (query) =>
    batchRead(observedQuery(query)),
  )

  /** Runs the work on a connection of its own, without timeouts. */
  const withoutTimeouts = async <T>(work: (db: Kysely<Tables>) => Promise<T>): Promise<T> => {
    const patientDb = new Kysely<Tables>({ dialect: postgresDialect(createPoolWithoutTimeouts(servers)), plugins })
    try {
      return await work(patientDb)
    } finally {
      await patientDb.destroy()
    }
  }

  const probeWrites = createWriteProbe(new Kysely<Tables>({ dialect: postgresDialect(probePool), plugins }), { schema, tables })
  const batchWrite = batchWrites(() => checkOut(writePool, observe))

  return {
    read: (query) => withRetries(() => query(readDb), { isReadOnly: true }),
    write: (statement) => withRetries(() => statement(db)),
    writeBatched: ({ statement, key }) => withRetries(() => batchWrite({ query: observedQuery(statement(db)), key })),
    transaction: (work, { mayTakeLong = false } = {}) => {
      const run = (on: Kysely<Tables>) => on.transaction().execute(work)
      return withRetries(() => (mayTakeLong ? withoutTimeouts(run) : run(db)))
    },
    batch: (statements) =>
      withRetries(async () => {
        const connection = await checkOut(writePool, observe)
        try {
          return await connection.runTransaction(statements(db))
        } finally {
          connection.release()
        }
      }),
    migration: async (work, onWait) => {
      const worker = createPoolWithoutTimeouts(servers)
      const lockHolder = new Kysely<Tables>({ dialect: postgresDialect(writePool) })
      try {
        return await runMigration({ lockHolder, worker, schema, plugins, onWait }, work)
      } finally {
        await worker.end()
      }
    },
    snapshot: (work, { mayTakeLong = false } = {}) => {
      const begin = (on: Kysely<Tables>) => on.transaction().setAccessMode('read only')
      if (!mayTakeLong) return withRetries(() => begin(readDb).execute(work), { isReadOnly: true })
      return withoutTimeouts((patientDb) =>
        begin(patientDb).execute(async (tx) => {
          await disableTimeouts(tx)
          return work(tx)
        }),
      )
    },
    longWork: withoutTimeouts,
    onHostClient: (client) => new Kysely<Tables>({ dialect: hostClientDialect(client, hostAdapter), plugins }),
    isSynchronous: false,
    ping: async () => {
      const ask = () =>
        sql<{ readonly read_only: string; readonly encoding: string; readonly hidden: string | null }>`
          select current_setting('transaction_read_only') as read_only, current_setting('server_encoding') as encoding, (
            select string_agg(relname::text, ', ' order by relname) from pg_class
            where relnamespace = to_regnamespace(${schema}) and relname = any(${tables}::name[])
              and relrowsecurity and row_security_active(oid)
          ) as hidden`.execute(readDb)
      const { rows } = await withRetries(ask, { isReadOnly: true })
      if (rows[0]?.encoding !== 'UTF8') {
        const remedy = "create the database with the encoding UTF8 (`create database … encoding 'UTF8' template template0`)"
        refuse(`its encoding is ${rows[0]?.encoding}, which cannot store every name; ${remedy}`, 'database_encoding')
      }
      if (rows[0]?.read_only !== 'off') refuse('The database can only be read', 'database_read_only')
      if (rows[0]?.hidden)
        refuse(`row level security hides rows of these tables from its role: ${rows[0].hidden}`, 'database_permission_denied')
    },
    checkTables: () => withRetries(() => requireTables(readDb, { schema, tables }), { isReadOnly: true }),
    probeWrites,
    time: async () => {
      const ask = () =>
        sql<{ readonly now: number }>`select round(extract(epoch from clock_timestamp()) * 1000)::float8 as now`.execute(readDb)
      const { rows } = await withRetries(ask, { isReadOnly: true })
      return Number(rows[0]?.now)
    },
    close: async () => {
      await Promise.all([probePool.end(), pool.end()])
    },
  }
}
