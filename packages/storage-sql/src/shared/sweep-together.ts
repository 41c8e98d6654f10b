import type { SweptKind } from '@countersign/core'
import type { Instant, RetainedKind } from '@countersign/core/storage'
import type { Kysely, SelectQueryBuilder } from 'kysely'
import type { Tables } from '../tables/index.ts'
import { countOf, type Database } from './database.ts'
import type { SweepStep } from './sweep.ts'

/** The most records of one step. Each may have many rows in other tables. */
const BATCH = 100

/** Records that are deleted together with rows of other tables. */
interface RecordsWithParts {
  readonly kind: SweptKind
  readonly retention: RetainedKind
  /** Selects the ids of records that can be deleted. Such a record never changes again. */
  readonly select: (db: Kysely<Tables>, before: Instant) => SelectQueryBuilder<Tables, never, { readonly id: string }>
  /** Deletes the records with these ids, and their parts. */
  readonly delete: (tx: Database, ids: readonly string[]) => Promise<void>
}

/** Makes the step that deletes records and their parts, one batch in each transaction. */
export const deletingTogether = (records: RecordsWithParts): SweepStep => {
  const { kind, retention, select } = records
  const deleteBatch = (database: Database, before: Instant): Promise<number> =>
    database.transaction(async (tx) => {
      const rows = await tx.read((db) => select(db, before).limit(BATCH).execute())
      const ids = rows.map(({ id }) => id)
      if (ids.length > 0) await records.delete(tx, ids)
      return ids.length
    })
  return {
    kind,
    batch: BATCH,
    delete: async (database, { limits }) => {
      const before = limits[retention]
      return before === undefined ? 0 : deleteBatch(database, before)
    },
    count: async (database, { limits }) => {
      const before = limits[retention]
      if (before === undefined) return 0
      return countOf(database, (db) => select(db, before).clearSelect())
    },
  }
}
