import type { ImportCounts, ImportStore } from '@countersign/core/storage'
import { sql } from 'kysely'
import { type Database, readRows } from '../shared/database.ts'

interface ImportTables {
  readonly staged: 'staged_resources' | 'staged_expenses'
  readonly target: 'resources' | 'expenses'
  readonly key: readonly string[]
  /** The columns that a repeated line replaces. None of them can be null. */
  readonly replaced: readonly string[]
}

const columnsOf = ({ key, replaced }: ImportTables) => ['id', ...key, ...replaced]

/** Returns the import of one kind of entry. @param toRow Returns the columns of an entry. */
export const importStore = <T>(
  database: Database,
  tables: ImportTables,
  toRow: (entry: T) => Readonly<Record<string, unknown>>,
): ImportStore<T> => ({
  stage: async (importId, entries, now) => {
    if (entries.length === 0) return
    const names = columnsOf(tables)
    const values = entries.map((entry) => {
      const row = toRow(entry)
      return sql`(${sql.join([importId, now, ...names.map((name) => row[name])])})`
    })
    await database.write((db) =>
      sql`insert into ${sql.table(tables.staged)} (import_id, staged_at, ${references(names)}) values ${sql.join(values)}
        on conflict (import_id, ${references(tables.key)}) do update set ${replacing(tables)}`.execute(db),
    )
  },

  // The number of statements does not depend on the number of lines.
  commitImport: (importId) => database.transaction((tx) => makeCount(tx, tables, importId), { mayTakeLong: true }),

  discardImport: (importId) => discardStaged(database, tables.staged, importId),
})

const references = (columns: readonly string[]) => sql.join(columns.map((column) => sql.ref(column)))

const replacing = ({ replaced }: ImportTables) =>
  sql.join(replaced.map((column) => sql`${sql.ref(column)} = ${sql.ref(`excluded.${column}`)}`))

const makeCount = async (tx: Database, tables: ImportTables, importId: string): Promise<ImportCounts> => {
  const staged = sql.table(tables.staged)
  const target = sql.table(tables.target)
  const columns = references(columnsOf(tables))
  const matches = sql.join(
    tables.key.map((column) => sql`${sql.ref(`${tables.target}.${column}`)} = ${sql.ref(`${tables.staged}.${column}`)}`),
    sql` and `,
  )
  const differs = (other: string) =>
    sql.join(
      tables.replaced.map((column) => sql`${sql.ref(`${tables.target}.${column}`)} <> ${sql.ref(`${other}.${column}`)}`),
      sql` or `,
    )

  const counted = sql<{ added: number | string; updated: number | string }>`
    select count(case when not exists (select 1 from ${target} where ${matches}) then 1 end) as added,
      count(case when exists (select 1 from ${target} where ${matches} and (${differs(tables.staged)})) then 1 end) as updated
    from ${staged} where import_id = ${importId}`
  const [counts] = await readRows(tx, counted)
  await tx.write((db) =>
    sql`insert into ${target} (${columns}) select ${columns} from ${staged} where import_id = ${importId}
      on conflict (${references(tables.key)}) do update set ${replacing(tables)} where ${differs('excluded')}`.execute(db),
  )
  await discardStaged(tx, tables.staged, importId)
  return { imported: Number(counts?.added ?? 0), updated: Number(counts?.updated ?? 0) }
}

const discardStaged = async (database: Database, staged: ImportTables['staged'], importId: string): Promise<void> => {
  const discard = (tx: Database) => tx.write((db) => db.deleteFrom(staged).where('import_id', '=', importId))
  await database.transaction(discard, { mayTakeLong: true })
}
