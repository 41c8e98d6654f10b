import { type Kysely, sql } from 'kysely'
import type { MigrationDialect } from './migration-dialect.ts'

/** Creates the tables of identity, and the table of changes that every process reads. */
export const createIdentity =
  (dialect: MigrationDialect) =>
  async (db: Kysely<unknown>): Promise<void> => {
    await createUsers(db, dialect)
    await createSessions(db)
    await createDevices(db)
    await createPasskeys(db)
    await createChallenges(db)
    await createServiceTokens(db)
    await createLoginFailures(db)
    await createRateLimits(db)
    await createChanges(db, dialect)
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
    .addColumn('version', 'bigint', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('updated_at', 'bigint', (column) => column.notNull())
    .execute()
  await db.schema.createIndex('users_directory_id').unique().on('users').column('directory_id').execute()
}

const createSessions = async (db: Kysely<unknown>) => {
  await db.schema
    .createTable('sessions')
    .addColumn('id', 'text', (column) => column.primaryKey().notNull())
    .addColumn('user_id', 'bigint', (column) => column.notNull().references('users.id'))
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('auth_method', 'text', (column) => column.notNull())
    .addColumn('device_id', 'text')
    .addColumn('passkey_id', 'text')
    .addColumn('remember_me', 'integer', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('last_used_at', 'bigint', (column) => column.notNull())
    .addColumn('refresh_token_id', 'text', (column) => column.notNull())
    .addColumn('previous_refresh_token_id', 'text')
    .addColumn('rotated_at', 'bigint', (column) => column.notNull())
    .addColumn('refresh_expires_at', 'bigint', (column) => column.notNull())
    .addColumn('ended_at', 'bigint')
    .addColumn('end_reason', 'text')
    .execute()
  await db.schema
    .createIndex('sessions_live_of_user')
    .on('sessions')
    .columns(['user_id', 'created_at', 'id'])
    .where(sql.ref('ended_at'), 'is', null)
    .execute()
  await db.schema
    .createIndex('sessions_live_of_device')
    .on('sessions')
    .column('device_id')
    .where(sql.ref('ended_at'), 'is', null)
    .execute()
  await db.schema
    .createIndex('sessions_live_of_passkey')
    .on('sessions')
    .column('passkey_id')
    .where(sql.ref('ended_at'), 'is', null)
    .execute()
  await db.schema.createIndex('sessions_refresh_expires_at').on('sessions').column('refresh_expires_at').execute()
  await db.schema
    .createIndex('sessions_ended_at')
    .on('sessions')
    .column('ended_at')
    .where(sql.ref('ended_at'), 'is not', null)
    .execute()
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
    .addColumn('last_used_at', 'bigint')
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('updated_at', 'bigint', (column) => column.notNull())
    .addColumn('removed_at', 'bigint')
    .execute()
  await db.schema
    .createIndex('devices_active_of_user')
    .unique()
    .on('devices')
    .columns(['user_id', 'fingerprint'])
    .where(sql.ref('removed_at'), 'is', null)
    .execute()
  await db.schema
    .createIndex('devices_active_with_fingerprint')
    .on('devices')
    .column('fingerprint')
    .where(sql.ref('removed_at'), 'is', null)
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
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('last_used_at', 'bigint')
    .addPrimaryKeyConstraint('passkeys_key', ['user_id', 'id'])
    .execute()
  await db.schema.createIndex('passkeys_of_user').on('passkeys').columns(['user_id', 'created_at', 'id']).execute()
  await db.schema.createIndex('passkeys_with_id').on('passkeys').columns(['id', 'created_at', 'user_id']).execute()
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
  await db.schema.createIndex('challenges_expires_at').on('challenges').column('expires_at').execute()
  // Challenges of users are kept past their expiry. The sweep finds the challenges without a user by this index.
  await db.schema
    .createIndex('challenges_without_user_expires_at')
    .on('challenges')
    .column('expires_at')
    .where(sql.ref('user_id'), 'is', null)
    .execute()
}

const createServiceTokens = async (db: Kysely<unknown>) => {
  await db.schema
    .createTable('service_tokens')
    .addColumn('id', 'text', (column) => column.primaryKey().notNull())
    .addColumn('service', 'text', (column) => column.notNull())
    .addColumn('scopes', 'text', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('expires_at', 'bigint', (column) => column.notNull())
    .addColumn('revoked_at', 'bigint')
    .execute()
  await db.schema.createIndex('service_tokens_by_age').on('service_tokens').columns(['created_at', 'id']).execute()
}

const createLoginFailures = async (db: Kysely<unknown>) => {
  await db.schema
    .createTable('login_failures')
    .addColumn('account', 'text', (column) => column.primaryKey().notNull())
    .addColumn('count', 'integer', (column) => column.notNull())
    .addColumn('last_at', 'bigint', (column) => column.notNull())
    .addColumn('known_until', 'bigint', (column) => column.notNull().defaultTo(0))
    .execute()
  await db.schema.createIndex('login_failures_last_at').on('login_failures').column('last_at').execute()
  await db.schema.createIndex('login_failures_known_until').on('login_failures').column('known_until').execute()
  await db.schema
    .createTable('login_ceilings')
    .addColumn('account', 'text', (column) => column.primaryKey().notNull())
    .addColumn('full_at', 'bigint', (column) => column.notNull())
    .execute()
  await db.schema.createIndex('login_ceilings_full_at').on('login_ceilings').column('full_at').execute()
}

const createRateLimits = async (db: Kysely<unknown>) => {
  await db.schema
    .createTable('rate_limits')
    .addColumn('key', 'text', (column) => column.primaryKey().notNull())
    .addColumn('full_at', 'bigint', (column) => column.notNull())
    .addColumn('full_at_before', 'bigint', (column) => column.notNull())
    .addColumn('taken', 'bigint', (column) => column.notNull())
    .addColumn('idle_at', 'bigint', (column) => column.notNull())
    .execute()
  await db.schema.createIndex('rate_limits_idle_at').on('rate_limits').column('idle_at').execute()
  await db.schema
    .createTable('rate_limit_hits')
    .addColumn('key', 'text', (column) => column.notNull())
    .addColumn('slot', 'integer', (column) => column.notNull())
    .addColumn('at', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('rate_limit_hits_key', ['key', 'slot'])
    .execute()
}

const createChanges = async (db: Kysely<unknown>, { withCountedKey, notifyChanges }: MigrationDialect) => {
  await withCountedKey(db.schema.createTable('changes'), 'seq')
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('subject', 'text', (column) => column.notNull())
    .addColumn('at', 'bigint', (column) => column.notNull())
    .execute()
  await db.schema.createIndex('changes_at').on('changes').column('at').execute()
  await notifyChanges(db)
}
