import type { Part } from '@countersign/core'
import { allParts } from '@countersign/core/storage'
import type { Generated, Selectable } from 'kysely'
import type { ApprovalTables } from './approvals.ts'
import type { IdentityTables } from './identity.ts'
import type { ProjectTables } from './projects.ts'
import type { Words } from './row-of.ts'

export type { SignerKind } from './identity.ts'

/**
 * The rows of every table, in the form that all databases share: instants are milliseconds in 64-bit integers, JSON is text with
 * its members in order, ids that the database does not count are text, and booleans are 1 or 0.
 */
export interface Tables extends IdentityTables, ApprovalTables, ProjectTables {
  /** The committed changes that every process reads, for its session cache and its live streams. */
  changes: {
    seq: Generated<number>
    kind: ChangeKind
    /** The id of the session, the user or the service token; for the kinds of live streams, see `toLiveChange`. */
    subject: string
    at: number
  }
}

/** A row of a table as it is read. */
export type Row<T extends keyof Tables> = Selectable<Tables[T]>

/** Returns words. The compiler reports a missing and an unknown one. */
const allOf =
  <T extends string>() =>
  <const S extends readonly string[]>(
    ...texts: S & ([T, Words<S[number]>] extends [Words<S[number]>, T] ? unknown : never)
  ): readonly string[] =>
    texts.flatMap((text) => text.split(' '))

/** The names of the tables of each part. */
const tablesByPart = {
  identity: allOf<keyof IdentityTables | 'changes'>()(
    'users permission_holders sessions login_failures login_ceilings devices device_registrations user_handles',
    'passkeys removed_passkeys passkey_push_tokens secrets running_servers challenges one_time_codes delegations',
    'service_tokens rate_limit_states changes',
  ),
  approvals: allOf<keyof ApprovalTables>()(
    'confirmations vouchings push_windows receipt_keys action_types action_type_registry approval_requests',
    'wanted_permissions action_policies',
  ),
  projects: allOf<keyof ProjectTables>()(
    'customers projects products project_participants project_numbers project_counts project_count_deltas',
    'project_lists resources staged_resources expenses staged_expenses product_schemas product_schema_registry',
  ),
} satisfies Record<Part, readonly string[]>

/** Returns the names of the tables of parts. */
export const tablesOf = (named: readonly Part[]): readonly string[] => named.flatMap((part) => tablesByPart[part])

/** The names of the tables of all parts. */
export const tableNames: readonly string[] = tablesOf(allParts)

/** An entry that a session cache must drop. `user`: the user and all sessions of the user. */
export type CachedKind = 'session' | 'user' | 'service_token'

/** Triggers write the kinds after the first three, for live streams. */
export type ChangeKind = CachedKind | 'sessions_of_user' | 'confirmation' | 'approval_request'
