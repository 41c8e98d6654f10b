import { type Kysely, sql } from 'kysely'
import { createIndex, isNotNull, isNull } from './create-index.ts'
import { type CreateTable, tableCreator } from './create-table.ts'
import type { MigrationDialect } from './migration-dialect.ts'

/** Creates the tables of identity, and the table of changes that every process reads. */
export const createIdentity =
  (dialect: MigrationDialect) =>
  async (db: Kysely<unknown>): Promise<void> => {
    const table = tableCreator(db, dialect)
    await createUsers(db, table)
    await createSessions(db, table, dialect)
    await createDevices(db, table)
    await createPasskeys(db, table)
    await createChallenges(db, table)
    await createServiceTokens(db, table)
    await createLoginFailures(db, table)
    await createRateLimits(db, table, dialect)
    await createChanges(db, table, dialect)
    await createServers(table)
    await reportSessions(db, dialect)
  }

const createUsers = async (db: Kysely<unknown>, table: CreateTable) => {
  await table('users')`
    id counted, directory_id text null, email text unique, name text, folded_name text, employee_id text, employee_name text,
    employee_avatar_file_id text, department_id text, department_name text, permissions text, password_hash text null,
    disabled_at bigint null, locked_at bigint null, trusted_passkey_removed_at bigint null, mailbox_mark_at bigint null,
    mailbox_mark_signer integer default 0, erased_at bigint null, version bigint, created_at bigint, updated_at bigint`
  await createIndex(db, 'users', 'users_directory_id', ['directory_id'], { unique: true })
  await createIndex(db, 'users', 'users_erased', ['id'], isNotNull('erased_at'))
  await table('permission_holders')`
    user_id bigint references users.id, permission text, has_signer integer, asked_at bigint, primary key (user_id, permission)`
  // Holders of a device and of passkeys only have separate indexes, so a search reads no user who cannot approve.
  for (const [kind, signer] of [
    ['to_ask', 1],
    ['with_passkeys', 2],
  ] as const) {
    await createIndex(db, 'permission_holders', `permission_holders_${kind}`, ['permission', 'asked_at', 'user_id'], {
      where: sql`${sql.ref('has_signer')} = ${sql.lit(signer)}`,
    })
  }
  await table('one_time_codes')`
    user_id bigint references users.id, kind text, slot integer default 0, hash text, created_at bigint, expires_at bigint,
    primary key (user_id, kind, slot)`
  await createIndex(db, 'one_time_codes', 'one_time_codes_hash', ['hash'], { unique: true })
  await createIndex(db, 'one_time_codes', 'one_time_codes_expires_at', ['expires_at'])
  await table('delegations')`
    from_user bigint references users.id, to_user bigint references users.id, permission text, until_at bigint,
    created_at bigint, primary key (from_user, to_user, permission)`
  await createIndex(db, 'delegations', 'delegations_of_delegate', ['to_user'])
  await createIndex(db, 'delegations', 'delegations_of_permission', ['permission', 'until_at'])
  await createIndex(db, 'delegations', 'delegations_until_at', ['until_at'])
}

/**
 * PostgreSQL rewrites every index entry of a row if an indexed column changes, and no entry otherwise (heap-only tuple). Each
 * refresh changes the expiry of the refresh token. So no index has a column that a refresh changes, and the sweep finds expired
 * sessions by the day of their expiry, which changes at most once a day.
 */
const createSessions = async (db: Kysely<unknown>, table: CreateTable, { leaveRoomForUpdates }: MigrationDialect) => {
  await table('sessions')`
    id text primary key, user_id bigint references users.id, kind text, auth_method text, user_verified integer default 0,
    device_id text null, passkey_id text null, tenants text null, host_method text null, signed_in_at bigint null,
    opened_by text null, opened_from text null, remember_me integer, created_at bigint, last_used_at bigint,
    refresh_token_id text, previous_refresh_token_id text null, renewal_key_hash text null, rotated_at bigint,
    refresh_expires_at bigint, sweep_day bigint default 0, ended_at bigint null, end_reason text null`
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

const createDevices = async (db: Kysely<unknown>, table: CreateTable) => {
  await table('devices')`
    id text primary key, user_id bigint references users.id, name text, type text, fingerprint text, public_key text,
    key_algorithm text, registered_with text null, tenants text null, push_token text null, push_token_digest text null,
    registered_by text null, trusted_at bigint null, cooling_off integer default 0, last_used_at bigint null, created_at bigint,
    updated_at bigint, removed_at bigint null`
  const active = isNull('removed_at')
  const removed = isNotNull('removed_at')
  // A phone may be registered once for each bound.
  const bound = sql<string>`coalesce(${sql.ref('tenants')}, '')`
  await createIndex(db, 'devices', 'devices_active_of_user', ['user_id', 'fingerprint', bound], { unique: true, ...active })
  await createIndex(db, 'devices', 'devices_active_with_fingerprint', ['fingerprint'], active)
  await createIndex(db, 'devices', 'devices_active_by_age', ['created_at', 'id'], active)
  await createIndex(db, 'devices', 'devices_removed_of_user', ['user_id', 'removed_at'], removed)
  await createIndex(db, 'devices', 'devices_removed_by_age', ['created_at', 'id'], removed)
  await createIndex(db, 'devices', 'devices_removed_at', ['removed_at'], removed)
  await createIndex(db, 'devices', 'devices_with_key', ['user_id', 'public_key'])
  await createIndex(db, 'devices', 'devices_by_push_token', ['push_token_digest'], isNotNull('push_token_digest'))
  // The signatures by which devices proved their keys. `id` is the id of the device.
  await table('device_registrations')`
    id text primary key, user_id bigint references users.id, challenge text, nonce text, statement text, algorithm text,
    signature text, signature_over text, public_key text, key_thumbprint text, registered_at bigint`
}

const createPasskeys = async (db: Kysely<unknown>, table: CreateTable) => {
  // `tenants` is empty in the handle for passkeys that are not bound.
  await table('user_handles')`user_id bigint references users.id, tenants text, handle text, primary key (user_id, tenants)`
  await table('passkeys')`
    id text, user_id bigint references users.id, user_handle text, public_key text, spki text, algorithm integer,
    sign_count bigint, transports text, backup_eligible integer, backed_up integer, aaguid text, discoverable integer null,
    name text, tenants text null, registered_by text null, trusted_at bigint null, cooling_off integer default 0,
    created_at bigint, last_used_at bigint null, primary key (user_id, id)`
  await createIndex(db, 'passkeys', 'passkeys_of_user', ['user_id', 'created_at', 'id'])
  await createIndex(db, 'passkeys', 'passkeys_with_id', ['id', 'created_at', 'user_id'])
  await table('removed_passkeys')`
    user_id bigint references users.id, spki text, trusted_for text null, removed_at bigint, primary key (user_id, spki)`
  await createIndex(db, 'removed_passkeys', 'removed_passkeys_removed_at', ['removed_at'])
  await table('passkey_push_tokens')`
    id text primary key, user_id bigint references users.id, passkey_id text, push_token text, push_token_digest text`
  await createIndex(db, 'passkey_push_tokens', 'passkey_push_tokens_of_passkey', ['user_id', 'passkey_id'], { unique: true })
  await createIndex(db, 'passkey_push_tokens', 'passkey_push_tokens_with_digest', ['push_token_digest'])
}

const createChallenges = async (db: Kysely<unknown>, table: CreateTable) => {
  await table('challenges')`
    id text primary key, purpose text, user_id bigint null references users.id, challenge text, subject text, created_at bigint,
    expires_at bigint, used_at bigint null`
  await createIndex(db, 'challenges', 'challenges_expires_at', ['expires_at'])
  await createIndex(db, 'challenges', 'challenges_of_user', ['user_id'], isNotNull('user_id'))
  // Challenges of users are kept past their expiry. The sweep finds the challenges without a user by this index.
  await createIndex(db, 'challenges', 'challenges_without_user_expires_at', ['expires_at'], isNull('user_id'))
}

const createServiceTokens = async (db: Kysely<unknown>, table: CreateTable) => {
  await table('service_tokens')`
    id text primary key, service text, scopes text, within text, created_at bigint, expires_at bigint, revoked_at bigint null`
  await createIndex(db, 'service_tokens', 'service_tokens_by_age', ['created_at', 'id'])
  await createIndex(db, 'service_tokens', 'service_tokens_expires_at', ['expires_at'])
}

const createLoginFailures = async (db: Kysely<unknown>, table: CreateTable) => {
  await table('login_failures')`account text primary key, count integer, last_at bigint, known_until bigint default 0`
  await createIndex(db, 'login_failures', 'login_failures_last_at', ['last_at'])
  await createIndex(db, 'login_failures', 'login_failures_known_until', ['known_until'])
  await table('login_ceilings')`account text primary key, full_at bigint`
  await createIndex(db, 'login_ceilings', 'login_ceilings_full_at', ['full_at'])
}

const createRateLimits = async (db: Kysely<unknown>, table: CreateTable, { leaveRoomForUpdates }: MigrationDialect) => {
  await table('rate_limit_states')`key text primary key, full_at bigint, allowed_at text, version bigint, idle_at bigint`
  await createIndex(db, 'rate_limit_states', 'rate_limit_states_idle_at', ['idle_at'])
  await leaveRoomForUpdates(db, 'rate_limit_states')
}

const createChanges = async (db: Kysely<unknown>, table: CreateTable, { readChangesByTransaction }: MigrationDialect) => {
  await table('changes')`seq counted, kind text, subject text, at bigint`
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

/** Creates what servers share: the encrypted secrets, and digests of the settings that must be equal on all running servers. */
const createServers = async (table: CreateTable) => {
  await table('secrets')`id text null primary key, secret text`
  await table('running_servers')`id text primary key, seen_at bigint, settings text`
}
