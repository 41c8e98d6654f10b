import type { MigrationDialect } from '@countersign/storage-sql'
import { createSearchIndex } from './search-index.ts'

export const migrationDialect: MigrationDialect = {
  withCountedKey: (table, name) => table.addColumn(name, 'integer', (column) => column.primaryKey().autoIncrement()),
  // SQLite compares texts byte by byte. In UTF-8 this is the order of code points.
  sortedText: 'text',
  readChangesByTransaction: async () => {},
  // SQLite updates a row in place.
  leaveRoomForUpdates: async () => {},
  createSearchIndex,
}
