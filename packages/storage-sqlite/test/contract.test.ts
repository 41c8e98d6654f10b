import { describeStorage } from '@countersign/core/testing/contract'
import { afterAll } from 'vitest'
import { openSqlite } from '../src/index.ts'
import { temporaryFile } from './temporary-file.ts'

const { path, remove } = temporaryFile()
afterAll(remove)

describeStorage('SQLite', async () => {
  const storage = await openSqlite({ path })
  await storage.migrate()
  return storage
})
