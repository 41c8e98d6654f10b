import { existsSync, readFileSync } from 'node:fs'
import type { ClearNonce } from '@countersign/core/storage'
import { aConfirmation, aNewUser, aSealedField } from '@countersign/core/testing'
import Sqlite from 'better-sqlite3'
import { expect, it, onTestFinished } from 'vitest'
import { describeClearNonces } from '../../storage-sql/test/describe-clear-nonces.ts'
import { connect } from '../src/connect.ts'
import { features } from '../src/dialect-features.ts'
import { sqliteEngine } from '../src/engine.ts'
import { openSqlite } from '../src/index.ts'
import { openMigrated } from './open-migrated.ts'
import { temporaryPath } from './temporary-file.ts'

/** Every byte of the database: the file, and the log beside it. */
const bytesOf = (path: string): string =>
  [path, `${path}-wal`].map((file) => (existsSync(file) ? readFileSync(file, 'latin1') : '')).join('')

it('a nonce that was in clear is in no page and no log once the file was vacuumed and its log cut', async () => {
  const path = temporaryPath()
  const storage = await openMigrated(path)
  const user = await storage.users.create(aNewUser())
  const nonce = `${'N'.repeat(86)}==` as ClearNonce
  const confirmation = aConfirmation({ userId: user?.id ?? 0, nonce })
  await storage.confirmations.initiate(confirmation, 1)
  await storage.confirmations.sealNonces([{ id: confirmation.id, nonce: aSealedField() }])
  expect(bytesOf(path)).toContain(nonce)

  const connection = new Sqlite(path)
  onTestFinished(() => void connection.close())
  connection.exec('vacuum')
  connection.pragma('wal_checkpoint(truncate)')
  expect(bytesOf(path)).not.toContain(nonce)
  expect(bytesOf(path)).toContain(confirmation.challenge)
})

describeClearNonces('SQLite', async () => {
  const path = temporaryPath()
  const engine = sqliteEngine(path, await connect(path))
  onTestFinished(() => engine.close())
  return {
    engine,
    features,
    openStorage: async () => {
      const storage = await openSqlite({ path })
      onTestFinished(() => storage.close())
      return storage
    },
    nonces: async () => {
      const connection = new Sqlite(path, { readonly: true })
      try {
        return connection.prepare<[], string>('select nonce from confirmations').pluck().all()
      } finally {
        connection.close()
      }
    },
  }
})
