import type { Flavour } from '@countersign/storage-sql'
import { sql } from 'kysely'
import { tellChanges } from './changes/tell-changes.ts'
import { data } from './data.ts'
import { search } from './search.ts'

export const flavour: Flavour = {
  withCountedKey: (table, name) =>
    table.addColumn(name, 'bigint', (column) => column.primaryKey().generatedByDefaultAsIdentity()),
  lockForShare: (query) => query.forShare(),
  // Not the strongest lock: that would also wait for whoever only refers to the row by a foreign key.
  lockForUpdate: (query) => query.forNoKeyUpdate(),
  sortedText: sql`text collate "C"`,
  projectsAlong: () => sql`projects`,
  tellChanges,
  search,
  data,
}
