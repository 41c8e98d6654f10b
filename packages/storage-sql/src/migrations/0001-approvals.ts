import { type Kysely, type RawBuilder, sql } from 'kysely'
import { createIndex, isEqual, isNotNull } from './create-index.ts'
import type { MigrationDialect } from './migration-dialect.ts'

/** The rows that this migration inserts, by table. */
export const approvalSeeds = { action_type_registry: [{ id: 1, version: 0 }] } as const

/** Creates the tables of approvals: confirmations, requests, vouchings, receipt keys and the registry of action types. */
export const createApprovals =
  (dialect: MigrationDialect) =>
  async (db: Kysely<unknown>): Promise<void> => {
    await createConfirmations(db)
    await createRequests(db)
    await createVouchings(db)
    await createPushWindows(db, dialect)
    await createReceiptKeys(db)
    await createRegistry(db)
    await reportApprovals(db, dialect)
  }

/**
 * Reports new and settled confirmations and approval requests to live streams, whichever statement writes them. The subject is the
 * user, the status, the expiry, the id, and the session that asked. An approval is news of its approval request too.
 */
const reportApprovals = async (db: Kysely<unknown>, { createTrigger }: MigrationDialect) => {
  const changes = sql`insert into ${sql.table('changes')} (kind, subject, at)`
  const subject = (row: string, user: string, session: string) => {
    const of = (column: string) => sql`${sql.raw(row)}.${sql.raw(column)}`
    return sql`${of(user)} || ':' || ${of('status')} || ':' || ${of('expires_at')} || ':' || ${of('id')} || ':'
      || coalesce(${of(session)}, '')`
  }
  const confirmation = subject('new', 'user_id', 'requested_by')
  const request = subject('new', 'requested_by', 'requested_in')
  const report = (name: string, table: string, statement: RawBuilder<unknown>, column?: string) =>
    createTrigger(db, { name, table, statement, ...(column !== undefined && { column }) })
  const reported = sql`${changes} values ('confirmation', ${confirmation}, new.updated_at)`
  await report('report_new_confirmation', 'confirmations', reported)
  await report('report_settled_confirmation', 'confirmations', reported, 'status')
  const vote = sql`${changes} select 'approval_request', ${subject('requests', 'requested_by', 'requested_in')}, new.updated_at
    from ${sql.table('approval_requests')} as requests where requests.id = new.approval_id and new.status = 'approved'`
  await report('report_vote', 'confirmations', vote, 'status')
  const asked = sql`${changes} values ('approval_request', ${request}, new.created_at)`
  await report('report_new_request', 'approval_requests', asked)
  await report('report_settled_request', 'approval_requests', asked, 'status')
}

const createConfirmations = async (db: Kysely<unknown>) => {
  await db.schema
    .createTable('confirmations')
    .addColumn('id', 'text', (column) => column.primaryKey().notNull())
    .addColumn('user_id', 'bigint', (column) => column.notNull().references('users.id'))
    .addColumn('approval_id', 'text')
    .addColumn('delegated_by', 'bigint')
    .addColumn('scope', 'text')
    .addColumn('action_type', 'text', (column) => column.notNull())
    .addColumn('action_type_version', 'text')
    .addColumn('payload', 'text', (column) => column.notNull())
    .addColumn('statement', 'text', (column) => column.notNull())
    .addColumn('nonce', 'text', (column) => column.notNull())
    .addColumn('challenge', 'text', (column) => column.notNull())
    .addColumn('requested_from', 'text')
    .addColumn('requested_by', 'text')
    .addColumn('initiated_by', 'text')
    .addColumn('match_number', 'text')
    .addColumn('status', 'text', (column) => column.notNull())
    .addColumn('wrong_signatures', 'integer', (column) => column.notNull())
    .addColumn('wrong_match_numbers', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('device_id', 'text')
    .addColumn('reject_reason', 'text')
    .addColumn('signature', 'text')
    .addColumn('signature_algorithm', 'text')
    .addColumn('signature_over', 'text')
    .addColumn('device_public_key', 'text')
    .addColumn('device_thumbprint', 'text')
    .addColumn('consumed_by', 'text')
    .addColumn('consumed_key', 'text')
    .addColumn('consumed_receipt', 'text')
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('expires_at', 'bigint', (column) => column.notNull())
    .addColumn('updated_at', 'bigint', (column) => column.notNull())
    .addColumn('approved_at', 'bigint')
    .addColumn('consumed_at', 'bigint')
    .addColumn('voided_at', 'bigint')
    .addColumn('withdrawn_at', 'bigint')
    .execute()
  const index = async (...[name, columns, options]: readonly [string, readonly string[], Parameters<typeof createIndex>[4]?]) =>
    createIndex(db, 'confirmations', name, columns, options)
  // Expired confirmations keep the status `pending`. With the expiry in the index, a query skips them.
  await index('confirmations_pending_of_user', ['user_id', 'expires_at'], isEqual('status', 'pending'))
  // Locking an account finds the approvals that nobody has consumed.
  await index('confirmations_unused_of_user', ['user_id'], {
    where: sql`${sql.ref('status')} = ${sql.lit('approved')} and ${sql.ref('consumed_at')} is null and ${sql.ref('voided_at')} is null`,
  })
  await index('confirmations_of_user', ['user_id', 'created_at', 'id'])
  await index('confirmations_of_approval', ['approval_id', 'user_id'], { unique: true, ...isNotNull('approval_id') })
  await index('confirmations_by_type', ['action_type', 'created_at', 'id'])
  await index('confirmations_of_scope', ['scope', 'created_at', 'id'], isNotNull('scope'))
  await indexByStatus(db, 'confirmations', 'approved')
}

/** Records of this status have another retention than the others, so the sweep has an index for each group. */
const indexByStatus = async (db: Kysely<unknown>, table: string, status: string): Promise<void> => {
  await createIndex(db, table, `${table}_${status}_created_at`, ['created_at'], isEqual('status', status))
  const where = sql`${sql.ref('status')} != ${sql.lit(status)}`
  await createIndex(db, table, `${table}_not_${status}_created_at`, ['created_at'], { where })
}

const createRequests = async (db: Kysely<unknown>) => {
  await db.schema
    .createTable('approval_requests')
    .addColumn('id', 'text', (column) => column.primaryKey().notNull())
    .addColumn('requested_by', 'bigint', (column) => column.notNull().references('users.id'))
    .addColumn('requested_in', 'text')
    .addColumn('scope', 'text')
    .addColumn('action_type', 'text', (column) => column.notNull())
    .addColumn('payload', 'text', (column) => column.notNull())
    .addColumn('display', 'text', (column) => column.notNull())
    .addColumn('terms', 'text', (column) => column.notNull())
    .addColumn('count', 'integer', (column) => column.notNull())
    .addColumn('status', 'text', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('expires_at', 'bigint', (column) => column.notNull())
    .addColumn('redeemed_at', 'bigint')
    .addColumn('redeemed_by', 'text')
    .addColumn('redeemed_key', 'text')
    .addColumn('withdrawn_at', 'bigint')
    .addCheckConstraint('approval_requests_count', sql`${sql.ref('count')} >= 0`)
    .execute()
  // Expired requests keep the status `pending`. With the expiry in the index, a query skips them.
  const open = isEqual('status', 'pending')
  await createIndex(db, 'approval_requests', 'approval_requests_open_of_user', ['requested_by', 'expires_at'], open)
  await createIndex(db, 'approval_requests', 'approval_requests_open_of_type', ['action_type', 'id'], open)
  await createIndex(db, 'approval_requests', 'approval_requests_of_user', ['requested_by'])
  await indexByStatus(db, 'approval_requests', 'redeemed')
  await db.schema
    .createTable('wanted_permissions')
    .addColumn('approval_id', 'text', (column) => column.notNull().references('approval_requests.id').onDelete('cascade'))
    .addColumn('permission', 'text', (column) => column.notNull())
    .addColumn('expires_at', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('wanted_permissions_key', ['approval_id', 'permission'])
    .execute()
  await createIndex(db, 'wanted_permissions', 'wanted_permissions_open', ['permission', 'expires_at'])
  await db.schema
    .createTable('action_policies')
    .addColumn('action_type', 'text', (column) => column.notNull())
    .addColumn('scope', 'text', (column) => column.notNull())
    .addColumn('version', 'integer', (column) => column.notNull())
    .addColumn('bands', 'text')
    .addPrimaryKeyConstraint('action_policies_key', ['action_type', 'scope'])
    .execute()
}

/** Creates the table of registrations on probation, each with the confirmation that vouches for it. */
const createVouchings = async (db: Kysely<unknown>) => {
  await db.schema
    .createTable('vouchings')
    .addColumn('user_id', 'bigint', (column) => column.notNull().references('users.id'))
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('subject_id', 'text', (column) => column.notNull())
    .addColumn('registered_by', 'text')
    .addColumn('confirmation_id', 'text')
    .addColumn('started_by_registration', 'integer', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('vouchings_key', ['user_id', 'kind', 'subject_id'])
    .execute()
  await createIndex(db, 'vouchings', 'vouchings_of_confirmation', ['confirmation_id'], { unique: true })
  await createIndex(db, 'vouchings', 'vouchings_by_age', ['user_id', 'created_at'])
  await createIndex(db, 'vouchings', 'vouchings_created_at', ['created_at'])
}

/** Creates the table of push windows, with at most one row for each user. */
const createPushWindows = async (db: Kysely<unknown>, { leaveRoomForUpdates }: MigrationDialect) => {
  await db.schema
    .createTable('push_windows')
    .addColumn('user_id', 'bigint', (column) => column.primaryKey().notNull().references('users.id'))
    .addColumn('ends_at', 'bigint', (column) => column.notNull())
    .addColumn('waiting', 'integer', (column) => column.notNull())
    .addColumn('told', 'integer', (column) => column.notNull())
    .addColumn('confirmation_id', 'text', (column) => column.notNull())
    .addColumn('action_type', 'text', (column) => column.notNull())
    .addColumn('expires_at', 'bigint', (column) => column.notNull())
    .execute()
  await leaveRoomForUpdates(db, 'push_windows')
}

/** Creates the table of the public keys that verify receipts. */
const createReceiptKeys = async (db: Kysely<unknown>) => {
  await db.schema
    .createTable('receipt_keys')
    .addColumn('kid', 'text', (column) => column.primaryKey().notNull())
    .addColumn('algorithm', 'text', (column) => column.notNull())
    .addColumn('jwk', 'text', (column) => column.notNull())
    .addColumn('active_from', 'bigint', (column) => column.notNull())
    .addColumn('retired_at', 'bigint')
    .addColumn('revoked_at', 'bigint')
    .addColumn('revoked_reason', 'text')
    .execute()
}

const createRegistry = async (db: Kysely<unknown>) => {
  await db.schema
    .createTable('action_types')
    .addColumn('key', 'text', (column) => column.primaryKey().notNull())
    .addColumn('type', 'text', (column) => column.notNull())
    .addColumn('version', 'text', (column) => column.notNull())
    .addColumn('title', 'text', (column) => column.notNull())
    .addColumn('active', 'integer', (column) => column.notNull())
    .addColumn('required_fields', 'text', (column) => column.notNull())
    .addColumn('registered_at', 'bigint', (column) => column.notNull())
    .addColumn('schema_text', 'text', (column) => column.notNull())
    .addColumn('display_text', 'text', (column) => column.notNull())
    .execute()
  await db.schema
    .createTable('action_type_registry')
    .addColumn('id', 'integer', (column) => column.primaryKey().notNull())
    .addColumn('version', 'bigint', (column) => column.notNull())
    .execute()
  await (db as Kysely<{ action_type_registry: { id: number; version: number } }>)
    .insertInto('action_type_registry')
    .values(approvalSeeds.action_type_registry)
    .execute()
}
