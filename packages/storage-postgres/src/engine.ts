import { Unavailable } from '@countersign/core'
import type { Engine, Tables } from '@countersign/storage-sql'
import { Kysely, sql } from 'kysely'
import { postgresDialect } from './dialect.ts'
import { createMigrationPool, type Pool } from './pool.ts'
import { retried } from './retry.ts'
import type { Connector } from './servers/connector.ts'

export const postgresEngine = (servers: Connector, pool: Pool): Engine => {
  const db = new Kysely<Tables>({ dialect: postgresDialect(pool) })
  return {
    read: (query) => retried(() => query(db), { leavesNothing: true }),
    write: (statement) => retried(() => statement(db)),
    transaction: (work) => retried(() => db.transaction().execute(work)),
    migration: async (work) => {
      const patient = new Kysely<Tables>({ dialect: postgresDialect(createMigrationPool(servers)) })
      try {
        return await work(patient)
      } finally {
        await patient.destroy()
      }
    },
    answersAtOnce: false,
    ping: async () => {
      const ask = () => sql<{ readonly setting: string }>`select current_setting('transaction_read_only') as setting`.execute(db)
      const { rows } = await retried(ask, { leavesNothing: true })
      if (rows[0]?.setting !== 'off') throw new Unavailable('The database can only be read')
    },
    close: () => db.destroy(),
  }
}
