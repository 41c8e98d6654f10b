import { PostgresDialect } from 'kysely'
import pg from 'pg'
import { it } from 'vitest'
import { expectPasskeysKept } from '../../storage-sql/test/keep-passkeys.ts'
import { features } from '../src/dialect-features.ts'
import { newDatabase } from './open-migrated.ts'

it('passkeys that were registered before their ids became unique for each user are kept', async () => {
  const pool = new pg.Pool({ connectionString: await newDatabase(), max: 1 })
  await expectPasskeysKept(new PostgresDialect({ pool }), features)
})
