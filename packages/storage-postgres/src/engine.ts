import { Unavailable } from '@countersign/core'
import type { Engine, Tables } from '@countersign/storage-sql'
import { Kysely, sql } from 'kysely'
import { postgresDialect } from './dialect.ts'
import { createMigrationPool, createPool } from './pool.ts'
import { retried } from './retry.ts'

export const postgresEngine = (url: string, poolSize: number): Engine => {
  const db = new Kysely<Tables>({ dialect: postgresDialect(createPool(url, poolSize)) })
  return {
    read: (query) => retried(() => query(db)),
    write: (statement) => retried(() => statement(db)),
    transaction: (work) => retried(() => db.transaction().execute(work)),
    migration: async (work) => {
      const patient = new Kysely<Tables>({ dialect: postgresDialect(createMigrationPool(url)) })
      try {
        return await work(patient)
      } finally {
        await patient.destroy()
      }
    },
    answersAtOnce: false,
    ping: async () => {
      const { rows } = await sql<{ readonly setting: string }>`
        select current_setting('transaction_read_only') as setting`.execute(db)
      if (rows[0]?.setting !== 'off') throw new Unavailable('The database can only be read')
    },
    close: () => db.destroy(),
  }
}
