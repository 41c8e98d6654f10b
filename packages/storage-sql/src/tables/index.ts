import { allParts } from '@countersign/core/storage'
import type { Part } from '@countersign/core/types'
import type { Generated } from 'kysely'
import type { ApprovalTables } from './approvals.ts'
import type { IdentityTables } from './identity.ts'
import type { ProjectTables } from './projects.ts'

export type * from './approvals.ts'
export type * from './identity.ts'
export type * from './projects.ts'

/**
 * The rows of every table, in the form that all databases share: instants are milliseconds in 64-bit integers, JSON is text with
 * its members in order, ids that the database does not count are text, and booleans are 1 or 0.
 */
export interface Tables extends IdentityTables, ApprovalTables, ProjectTables {
  changes: ChangesTable
}

/** The names of the tables of each part. The compiler reports a missing one. */
const tablesByPart = {
  identity: Object.keys({
    users: true,
    permission_holders: true,
    sessions: true,
    login_failures: true,
    login_ceilings: true,
    devices: true,
    device_registrations: true,
    user_handles: true,
    passkeys: true,
    removed_passkeys: true,
    secrets: true,
    running_servers: true,
    challenges: true,
    one_time_codes: true,
    delegations: true,
    service_tokens: true,
    rate_limit_states: true,
    changes: true,
  } satisfies Record<keyof IdentityTables | 'changes', true>),
  approvals: Object.keys({
    confirmations: true,
    vouchings: true,
    push_windows: true,
    receipt_keys: true,
    action_types: true,
    action_type_registry: true,
    approval_requests: true,
    wanted_permissions: true,
    action_policies: true,
  } satisfies Record<keyof ApprovalTables, true>),
  projects: Object.keys({
    customers: true,
    projects: true,
    products: true,
    project_participants: true,
    project_numbers: true,
    project_counts: true,
    project_count_deltas: true,
    project_lists: true,
    resources: true,
    staged_resources: true,
    expenses: true,
    staged_expenses: true,
    product_schemas: true,
    product_schema_registry: true,
  } satisfies Record<keyof ProjectTables, true>),
} satisfies Record<Part, readonly string[]>

/** Returns the names of the tables of parts. */
export const tablesOf = (named: readonly Part[]): readonly string[] => named.flatMap((part) => tablesByPart[part])

/** The names of the tables of all parts. */
export const tableNames: readonly string[] = tablesOf(allParts)

/** The committed changes that every process reads, for its session cache and its live streams. */
export interface ChangesTable {
  seq: Generated<number>
  kind: ChangeKind
  /** The id of the session, the user or the service token; for the kinds of live streams, see `toLiveChange`. */
  subject: string
  at: number
}

/** What a session cache must forget. `user` stands for the user and all sessions of the user. */
export type CachedKind = 'session' | 'user' | 'service_token'

/** Triggers write the kinds after the first three, for live streams. */
export type ChangeKind = CachedKind | 'sessions_of_user' | 'confirmation' | 'approval_request'
