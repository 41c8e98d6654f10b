import type { Kysely } from 'kysely'
import { type Migration, Migrator } from 'kysely/migration'
import { expect } from 'vitest'
import type { Tables } from '../src/tables/index.ts'

const PREVIOUS = '0003-projects'
const CREATED_AT = 1_760_000_000_000

const user = {
  email: 'ada@example.test',
  name: 'Ada',
  employee_id: '',
  employee_name: '',
  employee_avatar_file_id: '',
  department_id: '',
  department_name: '',
  permissions: '[]',
  version: 1,
  created_at: CREATED_AT,
  updated_at: CREATED_AT,
}

const device = {
  id: 'device-1',
  name: 'Phone',
  type: 'mobile',
  fingerprint: 'fingerprint-1',
  public_key: 'a public key',
  key_algorithm: 'ES256',
  created_at: CREATED_AT,
  updated_at: CREATED_AT,
} as const

const passkey = {
  id: 'passkey-1',
  user_handle: 'handle-1',
  public_key: 'a public key',
  algorithm: -7,
  sign_count: 0,
  transports: '[]',
  backup_eligible: 0,
  backed_up: 0,
  aaguid: '00000000-0000-0000-0000-000000000000',
  name: 'Laptop',
  created_at: CREATED_AT,
} as const

/** Expects that the migrations trust the devices and passkeys of an earlier version from their creation on. */
export const expectTrustFromCreation = async (
  db: Kysely<Tables>,
  migrations: Readonly<Record<string, Migration>>,
): Promise<void> => {
  const migrator = new Migrator({ db, provider: { getMigrations: async () => ({ ...migrations }) } })
  expect((await migrator.migrateTo(PREVIOUS)).error).toBeUndefined()
  const { id: user_id } = await db.insertInto('users').values(user).returning('id').executeTakeFirstOrThrow()
  await db
    .insertInto('devices')
    .values({ ...device, user_id })
    .execute()
  await db
    .insertInto('passkeys')
    .values({ ...passkey, user_id })
    .execute()
  expect((await migrator.migrateToLatest()).error).toBeUndefined()

  for (const table of ['devices', 'passkeys'] as const) {
    const row = await db.selectFrom(table).select(['trusted_at', 'cooling_off']).executeTakeFirstOrThrow()
    expect({ ...row, trusted_at: Number(row.trusted_at) }).toStrictEqual({ trusted_at: CREATED_AT, cooling_off: 0 })
  }
}
