import Sqlite from 'better-sqlite3'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { callEverything } from '../../storage-sql/test/call-everything.ts'
import { openMigrated } from './open-migrated.ts'
import { temporaryPath } from './temporary-file.ts'

interface PlanStep {
  readonly detail: string
}

/**
 * What may read on and on: all service tokens, by age; a list of projects, in the order of its index, which stops where its
 * page is full; tables of one row, and the registry of schemas, which is small.
 */
const READ_ON = [
  /^SCAN countersign_service_tokens USING INDEX countersign_service_tokens_by_age$/,
  /^SCAN countersign_projects USING INDEX countersign_projects_by_(?:created_at|updated_at|name|unique_code|contract_value|reply_date|status|progress)$/,
  /^SCAN countersign_(?:project_lists|product_schema_registry|product_schemas)$/,
  /^SCAN countersign_project_search VIRTUAL TABLE INDEX/,
  // The few projects that wait to be put into it.
  /^SCAN countersign_projects_to_index$/,
  // What the same statement found before: the matches of a search, counted and sorted.
  /^SCAN (?:matches|counted|page LEFT-JOIN)$/,
  // What a statement is given itself.
  /^SCAN (?:\d+-ROW VALUES CLAUSE|CONSTANT ROW|given)$/,
]

describe('every statement of the stores', () => {
  it('finds its rows by an index', async () => {
    const path = temporaryPath()
    const storage = await openMigrated(path)
    const prepare = vi.spyOn(Sqlite.prototype, 'prepare')
    await callEverything(storage)
    const statements = new Set(
      prepare.mock.calls.map(([sql]) => sql.trim()).filter((sql) => /^(select|with|insert|update|delete)/.test(sql)),
    )
    prepare.mockRestore()

    const connection = new Sqlite(path, { readonly: true })
    onTestFinished(() => void connection.close())
    // A new user's row is checked against rows that wait for it, of which there are none; SQLite then skips that part.
    connection.pragma('foreign_keys = off')
    const scans = [...statements].flatMap((sql) => {
      const parameters = sql.split('?').slice(1)
      const steps = connection.prepare<unknown[], PlanStep>(`explain query plan ${sql}`).all(parameters.map(() => null))
      return steps
        .filter(({ detail }) => detail.startsWith('SCAN ') && !READ_ON.some((known) => known.test(detail)))
        .map(({ detail }) => ({ sql, detail }))
    })
    expect(statements.size).toBeGreaterThan(40)
    expect(scans).toStrictEqual([])
  })
})
