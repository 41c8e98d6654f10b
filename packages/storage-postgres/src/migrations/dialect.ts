import type { MigrationDialect } from '@countersign/storage-sql'
import { sql } from 'kysely'
import { changeKey } from './change-key.ts'
import { changesByTransaction, leaveRoomForUpdates } from './changes-by-transaction.ts'
import { notifyChanges } from './notify-changes.ts'
import { createSearchIndex } from './search-index.ts'

export const migrationDialect: MigrationDialect = {
  withCountedKey: (table, name) =>
    table.addColumn(name, 'bigint', (column) => column.primaryKey().generatedByDefaultAsIdentity()),
  sortedText: sql`text collate "C"`,
  notifyChanges,
  readChangesByTransaction: changesByTransaction,
  leaveRoomForUpdates,
  changeKey,
  createSearchIndex,
  changeSearchedTexts: async (db, { to, where }) => {
    await sql`update ${sql.table('projects')} set searched_text = ${to} where ${where}`.execute(db)
  },
}
