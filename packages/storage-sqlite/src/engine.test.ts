import { tablesOf } from '@countersign/storage-sql'
import Sqlite from 'better-sqlite3'
import { sql } from 'kysely'
import { expect, it, vi } from 'vitest'
import { sqliteEngine } from './engine.ts'

it('a database in memory starts no thread that waits for the disk, however long its commits take', async () => {
  const connection = new Sqlite(new Sqlite(':memory:').serialize())
  const { write, close } = sqliteEngine(':memory:', { writer: connection, reader: connection }, 'countersign_', tablesOf([]))
  const warn = vi.spyOn(process, 'emitWarning').mockReturnValue()
  let now = 0
  vi.spyOn(performance, 'now').mockImplementation(() => (now += 1000))
  await write((db) => sql`create table notes (text text)`.execute(db))
  await close()
  expect(warn).not.toHaveBeenCalled()
})
