import type { Flavour } from '@countersign/storage-sql'

export const flavour: Flavour = {
  withCountedKey: (table, name) =>
    table.addColumn(name, 'bigint', (column) => column.primaryKey().generatedByDefaultAsIdentity()),
  lockForShare: (query) => query.forShare(),
  // Not the strongest lock: that would also wait for whoever only refers to the row by a foreign key.
  lockForUpdate: (query) => query.forNoKeyUpdate(),
}
