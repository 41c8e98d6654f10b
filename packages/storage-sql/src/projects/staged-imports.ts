import type { ImportCounts } from '@countersign/core/types'
import { sql } from 'kysely'
import type { Database } from '../shared/database.ts'

/** The tables and columns of one kind of import. */
interface ImportTables {
  readonly staged: 'staged_resources' | 'staged_expenses'
  readonly target: 'resources' | 'expenses'
  /** The columns that identify a line. */
  readonly key: readonly string[]
  /** The columns that a repeated line replaces. None of them can be null. */
  readonly replaced: readonly string[]
}

const columnsOf = ({ key, replaced }: ImportTables) => ['id', ...key, ...replaced]

/** Applies all staged lines of an import together. The number of statements does not depend on the number of lines. */
export const commitStaged = (database: Database, tables: ImportTables, importId: string): Promise<ImportCounts> =>
  database.transaction((tx) => makeCount(tx, tables, importId), { mayTakeLong: true })

const makeCount = async (tx: Database, tables: ImportTables, importId: string): Promise<ImportCounts> => {
  const staged = sql.table(tables.staged)
  const target = sql.table(tables.target)
  const columns = sql.join(columnsOf(tables).map((column) => sql.ref(column)))
  const matches = sql.join(
    tables.key.map((column) => sql`${sql.ref(`${tables.target}.${column}`)} = ${sql.ref(`${tables.staged}.${column}`)}`),
    sql` and `,
  )
  const replace = sql.join(tables.replaced.map((column) => sql`${sql.ref(column)} = ${sql.ref(`excluded.${column}`)}`))

  const differs = (other: string) =>
    sql.join(
      tables.replaced.map((column) => sql`${sql.ref(`${tables.target}.${column}`)} <> ${sql.ref(`${other}.${column}`)}`),
      sql` or `,
    )

  const { added, updated } = await tx.read(async (db) => {
    const { rows } = await sql<{ added: number | string; updated: number | string }>`
      select count(case when not exists (select 1 from ${target} where ${matches}) then 1 end) as added,
        count(case when exists (select 1 from ${target} where ${matches} and (${differs(tables.staged)})) then 1 end) as updated
      from ${staged} where import_id = ${importId}`.execute(db)
    return { added: Number(rows[0]?.added ?? 0), updated: Number(rows[0]?.updated ?? 0) }
  })
  await tx.write((db) =>
    sql`insert into ${target} (${columns}) select ${columns} from ${staged} where import_id = ${importId}
      on conflict (${sql.join(tables.key.map((column) => sql.ref(column)))}) do update set ${replace} where ${differs('excluded')}`.execute(
      db,
    ),
  )
  await discardStaged(tx, tables.staged, importId)
  return { imported: added, updated }
}

/** Deletes the staged lines of an import. */
export const discardStaged = async (database: Database, staged: ImportTables['staged'], importId: string): Promise<void> => {
  const discard = (tx: Database) => tx.write((db) => db.deleteFrom(staged).where('import_id', '=', importId).execute())
  await database.transaction(discard, { mayTakeLong: true })
}
