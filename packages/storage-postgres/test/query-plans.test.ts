import pg from 'pg'
import { describe, expect, it, vi } from 'vitest'
import { callEverything } from '../../storage-sql/test/call-everything.ts'
import { connect, openMigrated } from './open-migrated.ts'

/**
 * Tables of one row, the few deltas of counters, the small registries of schemas and of action types, receipt keys and running
 * servers may be read completely.
 */
const SMALL =
  /Seq Scan on (?:project_lists|project_count_deltas|product_schema_registry|product_schemas|action_type_registry|action_types|receipt_keys|running_servers)\b/

/**
 * The statement of `ProjectStore.ofPerson`, which may read all projects: an index for this rare export would slow every creation.
 */
const ofPerson = (sql: string): boolean => sql.includes('"participant_id"')

describe('every statement of the stores', () => {
  it('can find its rows by an index', async () => {
    const { url, storage } = await openMigrated()
    const query = vi.spyOn(pg.Client.prototype, 'query')
    // Prepared statements are parsed once per connection.
    const parse = vi.spyOn(pg.Connection.prototype, 'parse')
    await callEverything(storage)
    const texts = [
      ...query.mock.calls.map((call) => (call[0] as unknown as Partial<pg.QueryConfig>).text ?? ''),
      ...parse.mock.calls.map(([{ text }]) => text),
    ]
    query.mockRestore()
    parse.mockRestore()
    const statements = new Set(
      texts
        .map((text) => text.trim())
        .filter((text) => /^(select|with|insert|update|delete)\s[\s\S]*"/.test(text) && !ofPerson(text)),
    )

    const client = await connect(url)
    // The planner reads a small table completely. With this setting, it does so only if no index fits.
    await client.query('set enable_seqscan = off')
    // Plans for unknown parameters, as for prepared statements.
    await client.query('set plan_cache_mode = force_generic_plan')
    const scans: { sql: string; step: string }[] = []
    for (const sql of statements) {
      const parameters = Math.max(0, ...[...sql.matchAll(/\$(\d+)/g)].map(([, number]) => Number(number)))
      const values = parameters === 0 ? '' : `(${Array.from({ length: parameters }, () => 'null').join()})`
      await client.query(`prepare planned as ${sql}`)
      const { rows } = await client.query<{ 'QUERY PLAN': string }>(`explain execute planned${values}`)
      await client.query('deallocate planned')
      for (const { 'QUERY PLAN': step } of rows) if (step.includes('Seq Scan') && !SMALL.test(step)) scans.push({ sql, step })
    }
    expect(statements.size).toBeGreaterThan(40)
    expect(scans).toStrictEqual([])
  })
})
