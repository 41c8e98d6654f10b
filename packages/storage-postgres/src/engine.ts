import { Unavailable } from '@countersign/core'
import type { Engine, Tables } from '@countersign/storage-sql'
import { Kysely, sql } from 'kysely'
import { postgresDialect } from './dialect.ts'
import { createPatientPool, createPool } from './pool.ts'
import { retried } from './retry.ts'
import { takeAllTime } from './take-all-time.ts'

/** Known to nothing else that takes advisory locks in the database. */
const MIGRATION_LOCK = 4_079_513_062_271

export const postgresEngine = (url: string, poolSize: number): Engine => {
  const db = new Kysely<Tables>({ dialect: postgresDialect(createPool(url, poolSize)) })
  const longWork: Engine['longWork'] = async (work) => {
    const patient = new Kysely<Tables>({ dialect: postgresDialect(createPatientPool(url)) })
    try {
      return await work(patient)
    } finally {
      await patient.destroy()
    }
  }
  return {
    read: (query) => retried(() => query(db)),
    write: (statement) => retried(() => statement(db)),
    transaction: (work) => retried(() => db.transaction().execute(work)),
    migration: (work) =>
      longWork((patient) =>
        patient.transaction().execute(async (tx) => {
          await takeAllTime(tx)
          await sql`select pg_advisory_xact_lock(${sql.lit(MIGRATION_LOCK)})`.execute(tx)
          return work(tx)
        }),
      ),
    snapshot: (work) =>
      longWork((patient) =>
        patient.connection().execute(async (connection) => {
          await sql`start transaction isolation level repeatable read read only`.execute(connection)
          await takeAllTime(connection)
          const result = await work(connection)
          await sql`commit`.execute(connection)
          return result
        }),
      ),
    longWork,
    answersAtOnce: false,
    ping: async () => {
      const { rows } = await sql<{ readonly setting: string }>`
        select current_setting('transaction_read_only') as setting`.execute(db)
      if (rows[0]?.setting !== 'off') throw new Unavailable('The database can only be read')
    },
    close: () => db.destroy(),
  }
}
