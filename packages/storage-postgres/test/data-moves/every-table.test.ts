import type Sqlite from 'better-sqlite3'
import { describe, expect, it } from 'vitest'
import { connect } from '../open-migrated.ts'
import { HOSTILE_ROWS, hostileRows, type LiveTable, liveTables, type SqliteValue } from './hostile-rows.ts'
import { newSqlite, newTarget } from './open-databases.ts'

/** Converts a value to text that is the same for both databases. */
const textOf = (value: unknown): string | null => (value === null ? null : String(value))
const sorted = (rows: readonly (readonly (string | null)[])[]) => rows.map((row) => JSON.stringify(row)).toSorted()

const readSqlite = (file: Sqlite.Database, { name, columns }: LiveTable) => {
  const names = columns.map((column) => `"${column.name}"`).join()
  const rows = file.prepare(`select ${names} from "countersign_${name}"`).safeIntegers().raw().all() as readonly unknown[][]
  return sorted(rows.map((row) => row.map(textOf)))
}

const readPostgres = async (client: Awaited<ReturnType<typeof connect>>, { name, columns }: LiveTable) => {
  const names = columns.map((column) => `"${column.name}"`).join()
  // Reads every value as the server's own text, except floating-point numbers.
  const types = { getTypeParser: (oid: number) => (oid === 701 ? Number : String) }
  const { rows } = await client.query<unknown[]>({ text: `select ${names} from "${name}"`, rowMode: 'array', types })
  return sorted(rows.map((row) => row.map(textOf)))
}

const fill = (file: Sqlite.Database, tables: readonly LiveTable[]): ReadonlyMap<string, readonly SqliteValue[][]> => {
  const rows = hostileRows(tables) as ReadonlyMap<string, readonly SqliteValue[][]>
  file.pragma('foreign_keys = off')
  // The triggers would write rows of their own.
  const triggers = file.prepare<[], string>(`select name from sqlite_schema where type = 'trigger'`).pluck().all()
  for (const trigger of triggers) file.exec(`drop trigger "${trigger}"`)
  for (const { name, columns } of tables) {
    file.exec(`delete from "countersign_${name}"`)
    const insert = file.prepare(`insert into "countersign_${name}" values (${columns.map(() => '?').join()})`)
    for (const row of rows.get(name) ?? []) insert.run(row)
  }
  return rows
}

describe('moving a database whose every table contains hostile values', () => {
  it('preserves every value exactly, there and back', async () => {
    const { storage: source, file } = await newSqlite()
    const tables = liveTables(file)
    const given = fill(file, tables)
    const reported = tables.map(({ name }) => ({ name, rows: HOSTILE_ROWS }))
    expect(file.pragma('foreign_key_check')).toStrictEqual([])
    expect(given.size).toBeGreaterThan(20)

    const { url, target } = await newTarget()
    const moved = await target.takeOver(source)
    expect(moved.toSorted((one, other) => (one.name < other.name ? -1 : 1))).toStrictEqual(reported)
    const client = await connect(url)
    const before = new Map(tables.map((table) => [table.name, readSqlite(file, table)]))
    for (const table of tables) expect(await readPostgres(client, table), table.name).toStrictEqual(before.get(table.name))

    const back = await newSqlite(false)
    await back.storage.takeOver(target)
    for (const table of tables) expect(readSqlite(back.file, table), table.name).toStrictEqual(before.get(table.name))
    expect(back.file.pragma('integrity_check', { simple: true })).toBe('ok')
  })

  it('keeps the indexes and keys that the migrations created', async () => {
    const { target, url } = await newTarget()
    await target.migrate()
    const client = await connect(url)
    const definitions = async () => {
      const { rows } = await client.query<{ definition: string }>(
        `select indexdef as definition from pg_indexes where schemaname = 'countersign'
         union all select pg_get_constraintdef(oid) from pg_constraint order by 1`,
      )
      return rows
    }
    const made = await definitions()
    await target.takeOver((await newSqlite()).storage)
    expect(made.length).toBeGreaterThan(50)
    expect(await definitions()).toStrictEqual(made)
  })
})
