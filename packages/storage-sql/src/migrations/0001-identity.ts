import { type Kysely, sql } from 'kysely'
import { createIndex, isNotNull, isNull } from './create-index.ts'
import type { MigrationDialect } from './migration-dialect.ts'

/** Creates the tables of identity, and the table of changes that every process reads. */
export const createIdentity =
  (dialect: MigrationDialect) =>
  async (db: Kysely<unknown>): Promise<void> => {
    await createUsers(db, dialect)
    await createSessions(db, dialect)
    await createDevices(db)
    await createPasskeys(db)
    await createChallenges(db)
    await createServiceTokens(db)
    await createLoginFailures(db)
    await createRateLimits(db, dialect)
    await createChanges(db, dialect)
    await createServers(db)
    await reportSessions(db, dialect)
  }

const createUsers = async (db: Kysely<unknown>, { withCountedKey }: MigrationDialect) => {
  await withCountedKey(db.schema.createTable('users'), 'id')
    .addColumn('directory_id', 'text')
    .addColumn('email', 'text', (column) => column.notNull().unique())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('employee_id', 'text', (column) => column.notNull())
    .addColumn('employee_name', 'text', (column) => column.notNull())
    .addColumn('employee_avatar_file_id', 'text', (column) => column.notNull())
    .addColumn('department_id', 'text', (column) => column.notNull())
    .addColumn('department_name', 'text', (column) => column.notNull())
    .addColumn('permissions', 'text', (column) => column.notNull())
    .addColumn('password_hash', 'text')
    .addColumn('disabled_at', 'bigint')
    .addColumn('locked_at', 'bigint')
    .addColumn('trusted_passkey_removed_at', 'bigint')
    .addColumn('erased_at', 'bigint')
    .addColumn('version', 'bigint', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('updated_at', 'bigint', (column) => column.notNull())
    .execute()
  await createIndex(db, 'users', 'users_directory_id', ['directory_id'], { unique: true })
  await createIndex(db, 'users', 'users_erased', ['id'], isNotNull('erased_at'))
  await db.schema
    .createTable('permission_holders')
    .addColumn('user_id', 'bigint', (column) => column.notNull().references('users.id'))
    .addColumn('permission', 'text', (column) => column.notNull())
    .addColumn('has_device', 'integer', (column) => column.notNull())
    .addColumn('asked_at', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('permission_holders_key', ['user_id', 'permission'])
    .execute()
  // Holders without a device are not in the index, so the search for approvers does not pass over them.
  await createIndex(db, 'permission_holders', 'permission_holders_to_ask', ['permission', 'asked_at', 'user_id'], {
    where: sql`${sql.ref('has_device')} = ${sql.lit(1)}`,
  })
  await db.schema
    .createTable('one_time_codes')
    .addColumn('user_id', 'bigint', (column) => column.notNull().references('users.id'))
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('hash', 'text', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('expires_at', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('one_time_codes_key', ['user_id', 'kind'])
    .execute()
  await createIndex(db, 'one_time_codes', 'one_time_codes_hash', ['hash'], { unique: true })
  await createIndex(db, 'one_time_codes', 'one_time_codes_expires_at', ['expires_at'])
  await db.schema
    .createTable('delegations')
    .addColumn('from_user', 'bigint', (column) => column.notNull().references('users.id'))
    .addColumn('to_user', 'bigint', (column) => column.notNull().references('users.id'))
    .addColumn('permission', 'text', (column) => column.notNull())
    .addColumn('until_at', 'bigint', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('delegations_key', ['from_user', 'to_user', 'permission'])
    .execute()
  await createIndex(db, 'delegations', 'delegations_of_delegate', ['to_user'])
  await createIndex(db, 'delegations', 'delegations_of_permission', ['permission', 'until_at'])
  await createIndex(db, 'delegations', 'delegations_until_at', ['until_at'])
}

/**
 * PostgreSQL rewrites every index entry of a row if an indexed column changes, and no entry otherwise (heap-only tuple). Each
 * refresh changes the expiry of the refresh token. So no index has a column that a refresh changes, and the sweep finds expired
 * sessions by the day of their expiry, which changes at most once a day.
 */
const createSessions = async (db: Kysely<unknown>, { leaveRoomForUpdates }: MigrationDialect) => {
  await db.schema
    .createTable('sessions')
    .addColumn('id', 'text', (column) => column.primaryKey().notNull())
    .addColumn('user_id', 'bigint', (column) => column.notNull().references('users.id'))
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('auth_method', 'text', (column) => column.notNull())
    .addColumn('user_verified', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('device_id', 'text')
    .addColumn('passkey_id', 'text')
    .addColumn('host_method', 'text')
    .addColumn('signed_in_at', 'bigint')
    .addColumn('opened_by', 'text')
    .addColumn('opened_from', 'text')
    .addColumn('remember_me', 'integer', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('last_used_at', 'bigint', (column) => column.notNull())
    .addColumn('refresh_token_id', 'text', (column) => column.notNull())
    .addColumn('previous_refresh_token_id', 'text')
    .addColumn('renewal_key_hash', 'text')
    .addColumn('rotated_at', 'bigint', (column) => column.notNull())
    .addColumn('refresh_expires_at', 'bigint', (column) => column.notNull())
    .addColumn('sweep_day', 'bigint', (column) => column.notNull().defaultTo(0))
    .addColumn('ended_at', 'bigint')
    .addColumn('end_reason', 'text')
    .execute()
  await createIndex(db, 'sessions', 'sessions_live_of_user', ['user_id', 'created_at', 'id'], isNull('ended_at'))
  await createIndex(db, 'sessions', 'sessions_live_of_device', ['device_id'], isNull('ended_at'))
  await createIndex(db, 'sessions', 'sessions_live_of_passkey', ['passkey_id'], isNull('ended_at'))
  await createIndex(db, 'sessions', 'sessions_live_by_age', ['created_at', 'id'], isNull('ended_at'))
  await createIndex(db, 'sessions', 'sessions_ended_by_age', ['created_at', 'id'], isNotNull('ended_at'))
  await createIndex(db, 'sessions', 'sessions_opened_by', ['opened_by', 'created_at', 'id'], isNotNull('opened_by'))
  await createIndex(db, 'sessions', 'sessions_ended_at', ['ended_at'], isNotNull('ended_at'))
  await createIndex(db, 'sessions', 'sessions_sweep_day', ['sweep_day'])
  await leaveRoomForUpdates(db, 'sessions')
}

const createDevices = async (db: Kysely<unknown>) => {
  await db.schema
    .createTable('devices')
    .addColumn('id', 'text', (column) => column.primaryKey().notNull())
    .addColumn('user_id', 'bigint', (column) => column.notNull().references('users.id'))
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('type', 'text', (column) => column.notNull())
    .addColumn('fingerprint', 'text', (column) => column.notNull())
    .addColumn('public_key', 'text', (column) => column.notNull())
    .addColumn('key_algorithm', 'text', (column) => column.notNull())
    .addColumn('push_token', 'text')
    .addColumn('push_token_digest', 'text')
    .addColumn('registered_by', 'text')
    .addColumn('trusted_at', 'bigint')
    .addColumn('cooling_off', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('last_used_at', 'bigint')
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('updated_at', 'bigint', (column) => column.notNull())
    .addColumn('removed_at', 'bigint')
    .execute()
  const active = isNull('removed_at')
  const removed = isNotNull('removed_at')
  await createIndex(db, 'devices', 'devices_active_of_user', ['user_id', 'fingerprint'], { unique: true, ...active })
  await createIndex(db, 'devices', 'devices_active_with_fingerprint', ['fingerprint'], active)
  await createIndex(db, 'devices', 'devices_active_by_age', ['created_at', 'id'], active)
  await createIndex(db, 'devices', 'devices_removed_of_user', ['user_id', 'removed_at'], removed)
  await createIndex(db, 'devices', 'devices_removed_by_age', ['created_at', 'id'], removed)
  await createIndex(db, 'devices', 'devices_removed_at', ['removed_at'], removed)
  await createIndex(db, 'devices', 'devices_by_push_token', ['push_token_digest'], isNotNull('push_token_digest'))
  // The signatures by which devices proved their keys. `id` is the id of the device.
  await db.schema
    .createTable('device_registrations')
    .addColumn('id', 'text', (column) => column.primaryKey().notNull())
    .addColumn('user_id', 'bigint', (column) => column.notNull().references('users.id'))
    .addColumn('challenge', 'text', (column) => column.notNull())
    .addColumn('nonce', 'text', (column) => column.notNull())
    .addColumn('statement', 'text', (column) => column.notNull())
    .addColumn('algorithm', 'text', (column) => column.notNull())
    .addColumn('signature', 'text', (column) => column.notNull())
    .addColumn('signature_over', 'text', (column) => column.notNull())
    .addColumn('public_key', 'text', (column) => column.notNull())
    .addColumn('key_thumbprint', 'text', (column) => column.notNull())
    .addColumn('registered_at', 'bigint', (column) => column.notNull())
    .execute()
}

const createPasskeys = async (db: Kysely<unknown>) => {
  await db.schema
    .createTable('user_handles')
    .addColumn('user_id', 'bigint', (column) => column.primaryKey().notNull().references('users.id'))
    .addColumn('handle', 'text', (column) => column.notNull())
    .execute()
  await db.schema
    .createTable('passkeys')
    .addColumn('id', 'text', (column) => column.notNull())
    .addColumn('user_id', 'bigint', (column) => column.notNull().references('users.id'))
    .addColumn('user_handle', 'text', (column) => column.notNull())
    .addColumn('public_key', 'text', (column) => column.notNull())
    .addColumn('algorithm', 'integer', (column) => column.notNull())
    .addColumn('sign_count', 'bigint', (column) => column.notNull())
    .addColumn('transports', 'text', (column) => column.notNull())
    .addColumn('backup_eligible', 'integer', (column) => column.notNull())
    .addColumn('backed_up', 'integer', (column) => column.notNull())
    .addColumn('aaguid', 'text', (column) => column.notNull())
    .addColumn('discoverable', 'integer')
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('registered_by', 'text')
    .addColumn('trusted_at', 'bigint')
    .addColumn('cooling_off', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('last_used_at', 'bigint')
    .addPrimaryKeyConstraint('passkeys_key', ['user_id', 'id'])
    .execute()
  await createIndex(db, 'passkeys', 'passkeys_of_user', ['user_id', 'created_at', 'id'])
  await createIndex(db, 'passkeys', 'passkeys_with_id', ['id', 'created_at', 'user_id'])
}

const createChallenges = async (db: Kysely<unknown>) => {
  await db.schema
    .createTable('challenges')
    .addColumn('id', 'text', (column) => column.primaryKey().notNull())
    .addColumn('purpose', 'text', (column) => column.notNull())
    .addColumn('user_id', 'bigint', (column) => column.references('users.id'))
    .addColumn('challenge', 'text', (column) => column.notNull())
    .addColumn('subject', 'text', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('expires_at', 'bigint', (column) => column.notNull())
    .addColumn('used_at', 'bigint')
    .execute()
  await createIndex(db, 'challenges', 'challenges_expires_at', ['expires_at'])
  await createIndex(db, 'challenges', 'challenges_of_user', ['user_id'], isNotNull('user_id'))
  // Challenges of users are kept past their expiry. The sweep finds the challenges without a user by this index.
  await createIndex(db, 'challenges', 'challenges_without_user_expires_at', ['expires_at'], isNull('user_id'))
}

const createServiceTokens = async (db: Kysely<unknown>) => {
  await db.schema
    .createTable('service_tokens')
    .addColumn('id', 'text', (column) => column.primaryKey().notNull())
    .addColumn('service', 'text', (column) => column.notNull())
    .addColumn('scopes', 'text', (column) => column.notNull())
    .addColumn('within', 'text', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('expires_at', 'bigint', (column) => column.notNull())
    .addColumn('revoked_at', 'bigint')
    .execute()
  await createIndex(db, 'service_tokens', 'service_tokens_by_age', ['created_at', 'id'])
  await createIndex(db, 'service_tokens', 'service_tokens_expires_at', ['expires_at'])
}

const createLoginFailures = async (db: Kysely<unknown>) => {
  await db.schema
    .createTable('login_failures')
    .addColumn('account', 'text', (column) => column.primaryKey().notNull())
    .addColumn('count', 'integer', (column) => column.notNull())
    .addColumn('last_at', 'bigint', (column) => column.notNull())
    .addColumn('known_until', 'bigint', (column) => column.notNull().defaultTo(0))
    .execute()
  await createIndex(db, 'login_failures', 'login_failures_last_at', ['last_at'])
  await createIndex(db, 'login_failures', 'login_failures_known_until', ['known_until'])
  await db.schema
    .createTable('login_ceilings')
    .addColumn('account', 'text', (column) => column.primaryKey().notNull())
    .addColumn('full_at', 'bigint', (column) => column.notNull())
    .execute()
  await createIndex(db, 'login_ceilings', 'login_ceilings_full_at', ['full_at'])
}

const createRateLimits = async (db: Kysely<unknown>, { leaveRoomForUpdates }: MigrationDialect) => {
  await db.schema
    .createTable('rate_limit_states')
    .addColumn('key', 'text', (column) => column.primaryKey().notNull())
    .addColumn('full_at', 'bigint', (column) => column.notNull())
    .addColumn('allowed_at', 'text', (column) => column.notNull())
    .addColumn('version', 'bigint', (column) => column.notNull())
    .addColumn('idle_at', 'bigint', (column) => column.notNull())
    .execute()
  await createIndex(db, 'rate_limit_states', 'rate_limit_states_idle_at', ['idle_at'])
  await leaveRoomForUpdates(db, 'rate_limit_states')
}

const createChanges = async (db: Kysely<unknown>, { withCountedKey, readChangesByTransaction }: MigrationDialect) => {
  await withCountedKey(db.schema.createTable('changes'), 'seq')
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('subject', 'text', (column) => column.notNull())
    .addColumn('at', 'bigint', (column) => column.notNull())
    .execute()
  await createIndex(db, 'changes', 'changes_at', ['at'])
  await readChangesByTransaction(db)
}

/** Reports opened and ended sessions to live streams, whichever statement writes them. */
const reportSessions = async (db: Kysely<unknown>, { createTrigger }: MigrationDialect) => {
  const report = (at: string) => sql`
    insert into ${sql.table('changes')} (kind, subject, at)
    values ('sessions_of_user', cast(new.user_id as text), new.${sql.ref(at)})`
  await createTrigger(db, { name: 'report_opened_session', table: 'sessions', statement: report('created_at') })
  const ended = { name: 'report_ended_session', table: 'sessions', column: 'ended_at', statement: report('ended_at') }
  await createTrigger(db, ended)
}

/** Creates what servers share: the encrypted secrets, and digests of what all running servers must have alike. */
const createServers = async (db: Kysely<unknown>) => {
  await db.schema
    .createTable('secrets')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('secret', 'text', (column) => column.notNull())
    .execute()
  await db.schema
    .createTable('running_servers')
    .addColumn('id', 'text', (column) => column.primaryKey().notNull())
    .addColumn('seen_at', 'bigint', (column) => column.notNull())
    .addColumn('settings', 'text', (column) => column.notNull())
    .execute()
}
