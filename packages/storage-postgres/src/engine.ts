import { Unavailable } from '@countersign/core/storage'
import type { Engine, Tables } from '@countersign/storage-sql'
import { Kysely, sql } from 'kysely'
import { batchWrites } from './batch-writes.ts'
import { checkOut } from './connection.ts'
import { postgresDialect, postgresReadDialect } from './dialect.ts'
import { disableTimeouts } from './disable-timeouts.ts'
import { OperatorError } from './operator-error.ts'
import { createPoolWithoutTimeouts, type Pool } from './pool.ts'
import type { Connector } from './servers/connector.ts'
import { withRetries } from './with-retries.ts'

/** Known to nothing else that takes advisory locks in the database. */
const MIGRATION_LOCK = 4_079_513_062_271

export const postgresEngine = (servers: Connector, pool: Pool): Engine => {
  const db = new Kysely<Tables>({ dialect: postgresDialect(pool) })
  const reading = new Kysely<Tables>({ dialect: postgresReadDialect(pool) })

  /** On a connection of its own that never gives a statement up. */
  const withoutTimeouts = async <T>(work: (db: Kysely<Tables>) => Promise<T>): Promise<T> => {
    const patient = new Kysely<Tables>({ dialect: postgresDialect(createPoolWithoutTimeouts(servers)) })
    try {
      return await work(patient)
    } finally {
      await patient.destroy()
    }
  }

  const share = batchWrites(() => checkOut(pool))

  return {
    read: (query) => withRetries(() => query(reading), { isReadOnly: true }),
    write: (statement) => withRetries(() => statement(db)),
    writeBatched: ({ statement, key }) => withRetries(() => share({ query: statement(db), key })),
    transaction: (work, { mayTakeLong = false } = {}) => {
      const run = (on: Kysely<Tables>) => on.transaction().execute(work)
      return withRetries(() => (mayTakeLong ? withoutTimeouts(run) : run(db)))
    },
    batch: (statements) =>
      withRetries(async () => {
        const connection = await checkOut(pool)
        try {
          return await connection.runTransaction(statements(db))
        } finally {
          connection.release()
        }
      }),
    migration: (work) =>
      withoutTimeouts((patient) =>
        patient.transaction().execute(async (tx) => {
          await disableTimeouts(tx)
          await sql`select pg_advisory_xact_lock(${sql.lit(MIGRATION_LOCK)})`.execute(tx)
          return work(tx)
        }),
      ),
    snapshot: (work, { mayTakeLong = false } = {}) => {
      const begin = (on: Kysely<Tables>) => on.transaction().setAccessMode('read only')
      if (!mayTakeLong) return withRetries(() => begin(db).execute(work), { isReadOnly: true })
      return withoutTimeouts((patient) =>
        begin(patient).execute(async (tx) => {
          await disableTimeouts(tx)
          return work(tx)
        }),
      )
    },
    longWork: withoutTimeouts,
    isSynchronous: false,
    ping: async () => {
      const ask = () => sql<{ readonly setting: string }>`select current_setting('transaction_read_only') as setting`.execute(db)
      const { rows } = await withRetries(ask, { isReadOnly: true })
      if (rows[0]?.setting !== 'off')
        throw new Unavailable(undefined, { cause: new OperatorError('The database can only be read') })
    },
    close: () => pool.end(),
  }
}
