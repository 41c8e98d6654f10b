import { Unavailable } from '@countersign/core/storage'
import type { Engine, Tables } from '@countersign/storage-sql'
import { Kysely, sql } from 'kysely'
import { checkOut } from './connection.ts'
import { postgresDialect, postgresReadDialect } from './dialect.ts'
import { createPatientPool, type Pool } from './pool.ts'
import { retried } from './retry.ts'
import type { Connector } from './servers/connector.ts'
import { takeAllTime } from './take-all-time.ts'
import { ToldReason } from './told-reason.ts'
import { gatherWrites } from './writes.ts'

/** Known to nothing else that takes advisory locks in the database. */
const MIGRATION_LOCK = 4_079_513_062_271

export const postgresEngine = (servers: Connector, pool: Pool): Engine => {
  const db = new Kysely<Tables>({ dialect: postgresDialect(pool) })
  const reading = new Kysely<Tables>({ dialect: postgresReadDialect(pool) })

  /** On a connection of its own that never gives a statement up. */
  const patiently = async <T>(work: (db: Kysely<Tables>) => Promise<T>): Promise<T> => {
    const patient = new Kysely<Tables>({ dialect: postgresDialect(createPatientPool(servers)) })
    try {
      return await work(patient)
    } finally {
      await patient.destroy()
    }
  }

  const share = gatherWrites(() => checkOut(pool))

  return {
    read: (query) => retried(() => query(reading), { leavesNothing: true }),
    write: (statement) => retried(() => statement(db)),
    writeShared: ({ statement, key }) => retried(() => share({ query: statement(db), key })),
    transaction: (work, { mayTakeLong = false } = {}) => {
      const run = (on: Kysely<Tables>) => on.transaction().execute(work)
      return retried(() => (mayTakeLong ? patiently(run) : run(db)))
    },
    together: (statements) =>
      retried(async () => {
        const connection = await checkOut(pool)
        try {
          return await connection.transact(statements(db))
        } finally {
          connection.release()
        }
      }),
    migration: (work) =>
      patiently((patient) =>
        patient.transaction().execute(async (tx) => {
          await takeAllTime(tx)
          await sql`select pg_advisory_xact_lock(${sql.lit(MIGRATION_LOCK)})`.execute(tx)
          return work(tx)
        }),
      ),
    snapshot: (work, { mayTakeLong = false } = {}) => {
      const begin = (on: Kysely<Tables>) => on.transaction().setAccessMode('read only')
      if (!mayTakeLong) return retried(() => begin(db).execute(work), { leavesNothing: true })
      return patiently((patient) =>
        begin(patient).execute(async (tx) => {
          await takeAllTime(tx)
          return work(tx)
        }),
      )
    },
    longWork: patiently,
    answersAtOnce: false,
    ping: async () => {
      const ask = () => sql<{ readonly setting: string }>`select current_setting('transaction_read_only') as setting`.execute(db)
      const { rows } = await retried(ask, { leavesNothing: true })
      if (rows[0]?.setting !== 'off') throw new Unavailable(undefined, { cause: new ToldReason('The database can only be read') })
    },
    close: () => pool.end(),
  }
}
