import type { DialectFeatures } from '@countersign/storage-sql'
import { sql } from 'kysely'
import { dataMoves } from './data-moves.ts'
import { migrationDialect } from './migration-dialect.ts'
import { search } from './search.ts'

/** A writing transaction locks the whole database, so rows need no locks of their own. */
const withoutLock = <Q>(query: Q): Q => query

/** @param prefix The prefix of all names. */
export const dialectFeatures = (prefix: string): DialectFeatures => ({
  place: { prefix },
  lockForShare: withoutLock,
  lockForUpdate: withoutLock,
  lockUnlessLocked: withoutLock,
  // Without this hint the planner guesses from the values, and a page could scan the whole table along another index.
  projectsByIndex: (index) => sql`${sql.table('projects')} indexed by ${sql.id(prefix + index)}`,
  search,
  dataMoves: dataMoves(prefix),
  migrations: migrationDialect,
})
