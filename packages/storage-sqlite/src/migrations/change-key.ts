import type { ChangedKey } from '@countersign/storage-sql'
import { type Kysely, sql } from 'kysely'

/** A table or an index, with the text of the statement that created it. */
interface Created {
  readonly type: string
  readonly text: string
}

/**
 * Makes the table again with the changed key, and copies the rows, because SQLite cannot change a key
 * (https://www.sqlite.org/lang_altertable.html#otheralter).
 */
export const changeKey = async (db: Kysely<unknown>, { table, name, kind, columns }: ChangedKey): Promise<void> => {
  const next = `${table}_next`
  const [placed, placedNext] = [table, next].map((each) => sql.table(each).compile(db).sql) as [string, string]
  const { rows } = await sql<Created>`
    select type, sql as text from sqlite_schema where tbl_name = ${placed.slice(1, -1)} and sql is not null`.execute(db)
  const key = new RegExp(`(constraint "${name}" ${kind}) \\([^)]*\\)`)
  const newKey = `$1 (${columns.map((column) => `"${column}"`).join(', ')})`
  for (const { text } of rows.filter(({ type }) => type === 'table')) {
    await sql.raw(text.replace(placed, placedNext).replace(key, newKey)).execute(db)
  }
  await sql`insert into ${sql.table(next)} select * from ${sql.table(table)}`.execute(db)
  await db.schema.dropTable(table).execute()
  await db.schema.alterTable(next).renameTo(table).execute()
  for (const { text } of rows.filter(({ type }) => type === 'index')) await sql.raw(text).execute(db)
}
