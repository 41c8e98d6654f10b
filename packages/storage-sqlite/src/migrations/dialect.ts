import type { MigrationDialect } from '@countersign/storage-sql'
import { changeKey } from './change-key.ts'
import { changeSearchedTexts, createSearchIndex } from './search-index.ts'

export const migrationDialect: MigrationDialect = {
  withCountedKey: (table, name) => table.addColumn(name, 'integer', (column) => column.primaryKey().autoIncrement()),
  // SQLite compares texts byte by byte. In UTF-8 this is the order of code points.
  sortedText: 'text',
  // Each process polls for changes; see `change-feed.ts`.
  notifyChanges: async () => {},
  readChangesByTransaction: async () => {},
  // SQLite updates a row in place.
  leaveRoomForUpdates: async () => {},
  changeKey,
  createSearchIndex,
  changeSearchedTexts,
}
