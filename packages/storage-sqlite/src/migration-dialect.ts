import type { MigrationDialect } from '@countersign/storage-sql'
import { type Kysely, sql } from 'kysely'

/**
 * Creates a trigram index without its own copy of the texts (FTS5, contentless), and the table of the projects that wait to be
 * indexed.
 */
const createSearchIndex = async (db: Kysely<unknown>): Promise<void> => {
  // The searched texts are in lower case already, so the tokenizer need not fold case. No search asks for positions, so
  // `detail = none` leaves them out and saves most of the size.
  await sql`create virtual table ${sql.table('project_search')} using fts5(
    searched_text, content = '', contentless_delete = 1, detail = none, tokenize = 'trigram case_sensitive 1')`.execute(db)
  await sql`create table ${sql.table('projects_to_index')} (seq integer primary key)`.execute(db)
}

export const migrationDialect: MigrationDialect = {
  withCountedKey: (table, name) => table.addColumn(name, 'integer', (column) => column.primaryKey().autoIncrement()),
  // SQLite compares texts byte by byte. In UTF-8 this is the order of code points.
  sortedText: 'text',
  readChangesByTransaction: async () => {},
  createTrigger: async (db, { name, table, column, condition, statement }) => {
    const event =
      column === undefined
        ? sql`insert on ${sql.table(table)}`
        : sql`update of ${sql.id(column)} on ${sql.table(table)} when old.${sql.id(column)} is not new.${sql.id(column)}
            ${condition ? sql`and ${condition}` : sql``}`
    await sql`create trigger ${sql.table(name)} after ${event} begin ${statement}; end`.execute(db)
  },
  // SQLite updates a row in place.
  leaveRoomForUpdates: async () => {},
  createSearchIndex,
}
