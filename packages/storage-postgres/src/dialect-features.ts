import type { DialectFeatures } from '@countersign/storage-sql'
import { sql } from 'kysely'
import { notifyChanges } from './changes/notify-changes.ts'
import { dataMoves } from './data-moves.ts'
import { search } from './search.ts'

export const features: DialectFeatures = {
  withCountedKey: (table, name) =>
    table.addColumn(name, 'bigint', (column) => column.primaryKey().generatedByDefaultAsIdentity()),
  lockForShare: (query) => query.forShare(),
  // Not the strongest lock: that would also wait for whoever only refers to the row by a foreign key.
  lockForUpdate: (query) => query.forNoKeyUpdate(),
  sortedText: sql`text collate "C"`,
  projectsByIndex: () => sql`projects`,
  notifyChanges,
  search,
  dataMoves,
}
