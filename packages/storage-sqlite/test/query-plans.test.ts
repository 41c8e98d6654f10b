import Sqlite from 'better-sqlite3'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { callEverything } from '../../storage-sql/test/call-everything.ts'
import { openMigrated } from './open-migrated.ts'
import { temporaryPath } from './temporary-file.ts'

interface PlanStep {
  readonly detail: string
}

/** Reads what it is there for: all service tokens, by age. */
const LISTS_ALL = 'SCAN service_tokens USING INDEX service_tokens_by_age'

describe('every statement of the stores', () => {
  it('finds its rows by an index', async () => {
    const path = temporaryPath()
    const storage = await openMigrated(path)
    const prepare = vi.spyOn(Sqlite.prototype, 'prepare')
    await callEverything(storage)
    const statements = new Set(prepare.mock.calls.map(([sql]) => sql).filter((sql) => /^(select|insert|update|delete)/.test(sql)))
    prepare.mockRestore()

    const connection = new Sqlite(path, { readonly: true })
    onTestFinished(() => void connection.close())
    // A new user's row is checked against rows that wait for it, of which there are none; SQLite then skips that part.
    connection.pragma('foreign_keys = off')
    const scans = [...statements].flatMap((sql) => {
      const parameters = sql.split('?').slice(1)
      const steps = connection.prepare<unknown[], PlanStep>(`explain query plan ${sql}`).all(parameters.map(() => null))
      return steps.filter(({ detail }) => /^SCAN /.test(detail) && detail !== LISTS_ALL).map(({ detail }) => ({ sql, detail }))
    })
    expect(statements.size).toBeGreaterThan(40)
    expect(scans).toStrictEqual([])
  })
})
