import { readdirSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import type { MigratedStorage } from '@countersign/core/storage'
import { aNewUser } from '@countersign/core/testing'
import { describe, expect, it } from 'vitest'
import { openSqlite } from '../src/index.ts'
import { temporaryPath } from './temporary-file.ts'

const filesBeside = (path: string): readonly string[] => readdirSync(dirname(path))

describe('closing the only storage on a file leaves one file', () => {
  it.each<[string, (storage: MigratedStorage) => Promise<unknown>]>([
    ['created and never used', async () => {}],
    ['created and only read', (storage) => storage.migrationStatus()],
    ['created and migrated', (storage) => storage.migrate()],
    [
      'created and filled by a data move',
      async (storage) => {
        const source = await openSqlite({ path: temporaryPath() })
        await source.migrate()
        await source.users.create([aNewUser()])
        await storage.takeOver(source)
        await source.close()
      },
    ],
  ])('%s', async (_, use) => {
    const path = temporaryPath()
    const storage = await openSqlite({ path })
    await use(storage)
    await storage.close()
    expect(filesBeside(path)).toStrictEqual([basename(path)])
  })

  it('also if the storage that closes last had written nothing', async () => {
    const path = temporaryPath()
    const idle = await openSqlite({ path })
    const writing = await openSqlite({ path })
    await writing.migrate()
    await writing.users.create([aNewUser()])
    await writing.close()
    await idle.close()
    expect(filesBeside(path)).toStrictEqual([basename(path)])
  })
})
