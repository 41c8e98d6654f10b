import Sqlite from 'better-sqlite3'
import { SqliteDialect } from 'kysely'
import { it } from 'vitest'
import { expectPasskeysKept } from '../../storage-sql/test/keep-passkeys.ts'
import { features } from '../src/dialect-features.ts'

it('passkeys that were registered before their ids became unique for each user are kept', async () => {
  const database = new Sqlite(':memory:')
  database.pragma('foreign_keys = on')
  await expectPasskeysKept(new SqliteDialect({ database }), features)
})
