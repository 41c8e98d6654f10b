import { aPasskey } from '@countersign/core/testing'
import { type Dialect, Kysely, sql } from 'kysely'
import { Migrator } from 'kysely/migration'
import { expect } from 'vitest'
import { migrations } from '../src/migrations/index.ts'
import type { DialectFeatures } from '../src/shared/dialect-features.ts'
import type { Tables } from '../src/shared/tables.ts'

const MIGRATION = '0012-passkeys-of-users'

/** Holds the migration of passkeys to their rows: each is there afterwards as it was, and the id may be another user's too. */
export const expectPasskeysKept = async (dialect: Dialect, features: DialectFeatures): Promise<void> => {
  const db = new Kysely<Tables>({ dialect })
  const all = migrations(features)
  const migrator = new Migrator({ db, provider: { getMigrations: async () => ({ ...all }) } })
  const before = Object.keys(all)
    .toSorted()
    .filter((name) => name < MIGRATION)
    .at(-1)
  expect((await migrator.migrateTo(before ?? '')).error).toBeUndefined()
  for (const id of [1, 2]) {
    await sql`insert into users (id, email, name, employee_id, employee_name, employee_avatar_file_id, department_id,
      department_name, permissions, version, created_at, updated_at)
      values (${id}, ${`user-${id}@example.test`}, '', '', '', '', '', '', '[]', 1, 1, 1)`.execute(db)
  }
  const passkey = aPasskey()
  const row = {
    id: passkey.id,
    user_id: 1,
    user_handle: passkey.userHandle,
    public_key: passkey.publicKey,
    algorithm: passkey.algorithm,
    sign_count: 4_294_967_295,
    transports: JSON.stringify(passkey.transports),
    backup_eligible: 1,
    backed_up: 0,
    aaguid: passkey.aaguid,
    discoverable: null,
    name: passkey.name,
    created_at: passkey.createdAt,
    last_used_at: null,
  } as const
  await db.insertInto('passkeys').values(row).execute()
  expect((await migrator.migrateTo(MIGRATION)).error).toBeUndefined()
  const rows = await db.selectFrom('passkeys').selectAll().execute()
  expect(rows.map((one) => ({ ...one, ...numbersOf(one) }))).toStrictEqual([row])
  await db
    .insertInto('passkeys')
    .values({ ...row, user_id: 2 })
    .execute()
  await expect(db.insertInto('passkeys').values(row).execute()).rejects.toThrow(/unique/i)
  await expect(
    db
      .insertInto('passkeys')
      .values({ ...row, user_id: 3 })
      .execute(),
  ).rejects.toThrow(/foreign key/i)
  await db.destroy()
}

/** The columns of 64 bits, which drivers give as text. */
const numbersOf = ({ user_id, sign_count, created_at }: Tables['passkeys']) => ({
  user_id: Number(user_id),
  sign_count: Number(sign_count),
  created_at: Number(created_at),
})
