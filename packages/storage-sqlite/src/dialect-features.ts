import type { DialectFeatures } from '@countersign/storage-sql'
import { sql } from 'kysely'
import { dataMoves } from './data-moves.ts'
import { search } from './search.ts'

/** A transaction that may write holds the whole database, so a row needs no lock of its own. */
const alreadyHeld = <Q>(query: Q): Q => query

export const features: DialectFeatures = {
  withCountedKey: (table, name) => table.addColumn(name, 'integer', (column) => column.primaryKey().autoIncrement()),
  lockForShare: alreadyHeld,
  lockForUpdate: alreadyHeld,
  // Compared byte by byte, which in UTF-8 is by code points.
  sortedText: 'text',
  // The planner would guess from the values of a moment; along another index, a page walks over everything.
  projectsByIndex: (index) => sql`projects indexed by ${sql.ref(index)}`,
  // Each process asks for itself, in a microsecond or two: see `change-feed.ts`.
  notifyChanges: async () => {},
  search,
  dataMoves,
}
