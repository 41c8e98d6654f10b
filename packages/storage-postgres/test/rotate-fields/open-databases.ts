import type { MigratedStorage } from '@countersign/core/storage'
import { newSqlite } from '../data-moves/open-databases.ts'
import { connect, openMigrated } from '../open-migrated.ts'

/** A migrated database for the running test, with a way to read every stored value. */
export interface ReadableDatabase {
  readonly storage: MigratedStorage
  /** Returns every text of every table, with its place as `table.column`. */
  texts(): Promise<readonly (readonly [place: string, text: string])[]>
}

type Rows = readonly Readonly<Record<string, unknown>>[]

const textsOf = (table: string, rows: Rows) =>
  rows.flatMap((row) =>
    Object.entries(row).flatMap(([column, value]): [string, string][] =>
      typeof value === 'string' ? [[`${table}.${column}`, value]] : [],
    ),
  )

const openSqlite = async (): Promise<ReadableDatabase> => {
  const { storage, file } = await newSqlite()
  const texts = async () => {
    const tables = file
      .prepare<[], { name: string }>("select name from sqlite_master where type = 'table' and sql not like '%virtual%'")
      .all()
    return tables.flatMap(({ name }) =>
      textsOf(name.replace('countersign_', ''), file.prepare(`select * from "${name}"`).all() as Rows),
    )
  }
  return { storage, texts }
}

const openPostgres = async (): Promise<ReadableDatabase> => {
  const { storage, url } = await openMigrated()
  const client = await connect(url)
  const texts = async () => {
    const { rows: tables } = await client.query<{ name: string }>(
      "select table_name as name from information_schema.tables where table_schema = 'countersign' and table_type = 'BASE TABLE'",
    )
    const found: [string, string][] = []
    for (const { name } of tables) {
      const { rows } = await client.query<Record<string, unknown>>(`select * from "${name}"`)
      found.push(...textsOf(name, rows))
    }
    return found
  }
  return { storage, texts }
}

export const databases = [
  ['SQLite', openSqlite],
  ['PostgreSQL', openPostgres],
] as const
