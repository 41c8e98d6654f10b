import Sqlite from 'better-sqlite3'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { callEverything } from '../../storage-sql/test/call-everything.ts'
import { openMigrated } from './open-migrated.ts'
import { temporaryPath } from './temporary-file.ts'

interface PlanStep {
  readonly detail: string
}

/**
 * The scans that are allowed: all service tokens by age, a list of projects, sessions, devices or confirmations along an index that
 * stops at the end of the page, tables of one row, the small registries of schemas and of action types, and the receipt keys.
 */
const READ_ON = [
  /^SCAN countersign_service_tokens USING INDEX countersign_service_tokens_by_age$/,
  /^SCAN countersign_projects USING INDEX countersign_projects_by_(?:created_at|updated_at|name|unique_code|contract_value|reply_date|status|progress)$/,
  /^SCAN countersign_(sessions|devices) USING INDEX countersign_\1_(?:live|ended|active|removed)_by_age$/,
  /^SCAN countersign_confirmations USING INDEX countersign_confirmations_(?:not_)?approved_created_at$/,
  /^SCAN countersign_(?:project_lists|product_schema_registry|product_schemas|action_type_registry|action_types|receipt_keys)$/,
  /^SCAN countersign_project_search VIRTUAL TABLE INDEX/,
  // The few policies of action types, which are listed by the primary key.
  /^SCAN countersign_action_policies USING INDEX sqlite_autoindex_countersign_action_policies_1$/,
  // The few running servers of a database.
  /^SCAN countersign_running_servers\b/,
  // The erased users, and no others: the index has only them.
  /^SCAN countersign_users USING INDEX countersign_users_erased$/,
  // The few projects that are not indexed yet.
  /^SCAN countersign_projects_to_index$/,
  // The few deltas that are not added to the counters yet.
  /^SCAN countersign_project_count_deltas$/,
  // The intermediate results of the same statement: the two halves of a page, the live sessions of a user, counted
  // and sorted, the first holders of a permission, and the newest requests that want one.
  /^SCAN (?:counted|approved|others|excess|holders|wanted|\(subquery-\d+\))$/,
  // The values of the statement itself.
  /^SCAN (?:\d+-ROW VALUES CLAUSE|(?:\d+ )?CONSTANT ROWS?|given)$/,
]

/**
 * The statement of `ProjectStore.ofPerson`, which may read all projects: an index for this rare export would slow every creation.
 */
const ofPerson = (sql: string): boolean => sql.includes('"participant_id"')

/** The statements of the recovery after a restore, which an operator runs once in a disaster, while no server runs. */
const ofRecovery = (sql: string): boolean => /\("status" = 'pending' and "expires_at" > \?\)/.test(sql)

describe('every statement of the stores', () => {
  it('finds its rows by an index', async () => {
    const path = temporaryPath()
    const storage = await openMigrated(path)
    const prepare = vi.spyOn(Sqlite.prototype, 'prepare')
    await callEverything(storage)
    const statements = new Set(
      prepare.mock.calls
        .map(([sql]) => sql.trim())
        .filter((sql) => /^(select|with|insert|update|delete)/.test(sql) && !ofPerson(sql) && !ofRecovery(sql)),
    )
    prepare.mockRestore()

    const connection = new Sqlite(path, { readonly: true })
    onTestFinished(() => void connection.close())
    // Without foreign keys, the plans omit the check of referring rows, which does not run for a new row.
    connection.pragma('foreign_keys = off')
    const plans = [...statements].map((sql) => {
      const parameters = sql.split('?').slice(1)
      const steps = connection.prepare<unknown[], PlanStep>(`explain query plan ${sql}`).all(parameters.map(() => null))
      return { sql, details: steps.map(({ detail }) => detail) }
    })
    const scans = plans.flatMap(({ sql, details }) =>
      details
        .filter((detail) => detail.startsWith('SCAN ') && !READ_ON.some((known) => known.test(detail)))
        .map((detail) => ({ sql, detail })),
    )
    expect(statements.size).toBeGreaterThan(40)
    expect(scans).toStrictEqual([])
    // A user can register and remove any number of devices, so a key is never looked for among all of them.
    const byKey = plans.filter(({ sql }) => /"public_key" (?:=|in) /.test(sql))
    expect(byKey.length).toBeGreaterThan(5)
    expect(byKey.filter(({ details }) => !details.some((detail) => /devices_with_key \(user_id=\? AND /.test(detail)))).toEqual(
      [],
    )
  })
})
