import type { Flavour } from '@countersign/storage-sql'

/** A transaction that may write holds the whole database, so a row needs no lock of its own. */
const alreadyHeld = <Q>(query: Q): Q => query

export const flavour: Flavour = {
  withCountedKey: (table, name) => table.addColumn(name, 'integer', (column) => column.primaryKey().autoIncrement()),
  lockForShare: alreadyHeld,
  lockForUpdate: alreadyHeld,
}
