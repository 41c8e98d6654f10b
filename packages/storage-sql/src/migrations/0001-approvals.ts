import { type Kysely, type RawBuilder, sql } from 'kysely'
import { createIndex, isEqual, isNotNull } from './create-index.ts'
import { type CreateTable, tableCreator } from './create-table.ts'
import type { MigrationDialect, Trigger } from './migration-dialect.ts'

/** The rows that this migration inserts, by table. */
export const approvalSeeds = { action_type_registry: [{ id: 1, version: 0 }] } as const

/** Creates the tables of approvals: confirmations, requests, vouchings, receipt keys and the registry of action types. */
export const createApprovals =
  (dialect: MigrationDialect) =>
  async (db: Kysely<unknown>): Promise<void> => {
    const table = tableCreator(db, dialect)
    await createConfirmations(db, table)
    await createRequests(db, table)
    await createVouchings(db, table)
    await createPushWindows(db, table, dialect)
    await createReceiptKeys(table)
    await createRegistry(db, table)
    await reportApprovals(db, dialect)
  }

/**
 * Reports new and settled confirmations and approval requests to live streams, whichever statement writes them. The subject is the
 * user, the status, the expiry, the id, the session that asked, and the tenant, or of a vouching the bound. A vote, and the end of
 * an approval request, are news for the user who asked and for every user who was asked.
 */
const reportApprovals = async (db: Kysely<unknown>, { createTrigger }: MigrationDialect) => {
  const changes = sql`insert into ${sql.table('changes')} (kind, subject, at)`
  const subject = (row: string, user: string, session: string) => {
    const of = (column: string) => sql`${sql.raw(row)}.${sql.raw(column)}`
    return sql`${sql.raw(user)} || ':' || ${of('status')} || ':' || ${of('expires_at')} || ':' || ${of('id')} || ':'
      || coalesce(${of(session)}, '') || ':' || coalesce(${of('tenant')}, ${of('bound_to')}, '')`
  }
  const confirmation = subject('new', 'new.user_id', 'requested_by')
  const request = subject('new', 'new.requested_by', 'requested_in')
  const report = (name: string, table: string, statement: RawBuilder<unknown>, of?: Pick<Trigger, 'column' | 'condition'>) =>
    createTrigger(db, { name, table, statement, ...of })
  const reported = sql`${changes} values ('confirmation', ${confirmation}, new.updated_at)`
  await report('report_new_confirmation', 'confirmations', reported)
  await report('report_settled_confirmation', 'confirmations', reported, { column: 'status' })
  const askedUsers = (request: string, at: string) => sql`${changes}
    select 'approval_request', ${subject(request, 'asked.user_id', 'requested_in')}, new.${sql.raw(at)}
    from ${sql.table('confirmations')} as asked`
  const vote = sql`${changes} select 'approval_request', ${subject('requests', 'requests.requested_by', 'requested_in')}, new.updated_at
    from ${sql.table('approval_requests')} as requests where requests.id = new.approval_id;
    ${askedUsers('requests', 'updated_at')} join ${sql.table('approval_requests')} as requests on requests.id = asked.approval_id
    where asked.approval_id = new.approval_id`
  // PostgreSQL plans these statements each time, so no other confirmation may reach them.
  const isVote = sql`new.approval_id is not null and new.status = 'approved'`
  await report('report_vote', 'confirmations', vote, { column: 'status', condition: isVote })
  const toRequester = (at: string) => sql`${changes} values ('approval_request', ${request}, new.${sql.raw(at)})`
  await report('report_new_request', 'approval_requests', toRequester('created_at'))
  // A request has no time of its settlement. It is settled before it expires, and a change that looked old would be swept unread.
  const settled = sql`${toRequester('expires_at')}; ${askedUsers('new', 'expires_at')} where asked.approval_id = new.id`
  await report('report_settled_request', 'approval_requests', settled, { column: 'status' })
}

const createConfirmations = async (db: Kysely<unknown>, table: CreateTable) => {
  await table('confirmations')`
    id text primary key, user_id bigint references users.id, approval_id text null, delegated_by bigint null, tenant text null,
    bound_to text null, action_type text, action_type_version text null, payload text, statement text, nonce text,
    challenge text, requested_from text null, requested_by text null, initiated_by text null, match_number text null,
    status text, wrong_signatures integer, wrong_match_numbers integer default 0, device_id text null, passkey_id text null,
    reject_reason text null, signature text null, signature_algorithm text null, signature_over text null, assertion text null,
    device_public_key text null, device_thumbprint text null, consumed_by text null, consumed_key text null,
    consumed_receipt text null, created_at bigint, expires_at bigint, updated_at bigint, approved_at bigint null,
    consumed_at bigint null, voided_at bigint null, withdrawn_at bigint null`
  const index = async (...[name, columns, options]: readonly [string, readonly string[], Parameters<typeof createIndex>[4]?]) =>
    createIndex(db, 'confirmations', name, columns, options)
  // Expired confirmations keep the status `pending`. With the expiry in the index, a query skips them.
  await index('confirmations_pending_of_user', ['user_id', 'expires_at'], isEqual('status', 'pending'))
  // The metrics count what expired lately.
  await index('confirmations_pending_expiry', ['expires_at'], isEqual('status', 'pending'))
  // Locking an account finds the approvals that nobody has consumed.
  await index('confirmations_unused_of_user', ['user_id'], {
    where: sql`${sql.ref('status')} = ${sql.lit('approved')} and ${sql.ref('consumed_at')} is null and ${sql.ref('voided_at')} is null`,
  })
  await index('confirmations_of_user', ['user_id', 'created_at', 'id'])
  await index('confirmations_of_approval', ['approval_id', 'user_id'], { unique: true, ...isNotNull('approval_id') })
  await index('confirmations_by_type', ['action_type', 'created_at', 'id'])
  await index('confirmations_of_tenant', ['tenant', 'created_at', 'id'], isNotNull('tenant'))
  await indexByStatus(db, 'confirmations', 'approved')
}

/** Records of this status have another retention than the others, so the sweep has an index for each group. */
const indexByStatus = async (db: Kysely<unknown>, table: string, status: string): Promise<void> => {
  await createIndex(db, table, `${table}_${status}_created_at`, ['created_at'], isEqual('status', status))
  const where = sql`${sql.ref('status')} != ${sql.lit(status)}`
  await createIndex(db, table, `${table}_not_${status}_created_at`, ['created_at'], { where })
}

const createRequests = async (db: Kysely<unknown>, table: CreateTable) => {
  await table('approval_requests')`
    id text primary key, requested_by bigint references users.id, requested_in text null, tenant text null, bound_to text null,
    action_type text, payload text, display text, terms text, count integer, status text, created_at bigint, expires_at bigint,
    redeemed_at bigint null, redeemed_by text null, redeemed_key text null, withdrawn_at bigint null, stopped_by bigint null,
    stopped_at bigint null, check count >= 0`
  // Expired requests keep the status `pending`. With the expiry in the index, a query skips them.
  const open = isEqual('status', 'pending')
  await createIndex(db, 'approval_requests', 'approval_requests_open_of_user', ['requested_by', 'expires_at'], open)
  await createIndex(db, 'approval_requests', 'approval_requests_open_expiry', ['expires_at'], open)
  await createIndex(db, 'approval_requests', 'approval_requests_open_of_type', ['action_type', 'id'], open)
  await createIndex(db, 'approval_requests', 'approval_requests_of_user', ['requested_by', 'created_at', 'id'])
  await indexByStatus(db, 'approval_requests', 'redeemed')
  await table('wanted_permissions')`
    approval_id text references approval_requests.id on delete cascade, permission text, expires_at bigint,
    primary key (approval_id, permission)`
  await createIndex(db, 'wanted_permissions', 'wanted_permissions_open', ['permission', 'expires_at'])
  await table('action_policies')`
    action_type text, tenant text, version integer, bands text null, primary key (action_type, tenant)`
}

/** Creates the table of registrations on probation, each with the confirmation that vouches for it. */
const createVouchings = async (db: Kysely<unknown>, table: CreateTable) => {
  await table('vouchings')`
    user_id bigint references users.id, kind text, subject_id text, registered_by text null, confirmation_id text null,
    started_by_registration integer, restarts integer default 0, restarts_since bigint null, created_at bigint,
    primary key (user_id, kind, subject_id)`
  await createIndex(db, 'vouchings', 'vouchings_of_confirmation', ['confirmation_id'], { unique: true })
  await createIndex(db, 'vouchings', 'vouchings_by_age', ['user_id', 'created_at'])
  await createIndex(db, 'vouchings', 'vouchings_created_at', ['created_at'])
}

/** Creates the table of push windows, with at most one row for each user and bound of devices; empty for devices without one. */
const createPushWindows = async (db: Kysely<unknown>, table: CreateTable, { leaveRoomForUpdates }: MigrationDialect) => {
  await table('push_windows')`
    user_id bigint references users.id, tenants text, ends_at bigint, waiting integer, told integer, confirmation_id text,
    action_type text, expires_at bigint, primary key (user_id, tenants)`
  await leaveRoomForUpdates(db, 'push_windows')
}

const createReceiptKeys = async (table: CreateTable) => {
  await table('receipt_keys')`
    kid text primary key, algorithm text, jwk text, active_from bigint, retired_at bigint null, revoked_at bigint null,
    revoked_reason text null`
}

const createRegistry = async (db: Kysely<unknown>, table: CreateTable) => {
  await table('action_types')`
    key text primary key, type text, version text, title text, active integer, required_fields text, registered_at bigint,
    schema_text text, display_text text`
  await table('action_type_registry')`id integer primary key, version bigint`
  await (db as Kysely<{ action_type_registry: { id: number; version: number } }>)
    .insertInto('action_type_registry')
    .values(approvalSeeds.action_type_registry)
    .execute()
}
