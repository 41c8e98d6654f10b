import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openSqlite } from '../open.ts'

let migrated: Promise<Buffer> | undefined

const makeMigrated = async (): Promise<Buffer> => {
  const directory = await mkdtemp(join(tmpdir(), 'countersign-migrated-'))
  const path = join(directory, 'test.db')
  const storage = await openSqlite({ path })
  await storage.migrate()
  await storage.close()
  const content = await readFile(path)
  await rm(directory, { recursive: true })
  return content
}

/**
 * Writes a database that has all tables. The first call of a worker runs the migrations, and every other call copies their
 * result, which takes a tenth of the time.
 */
export const writeMigratedFile = async (path: string): Promise<void> => {
  migrated ??= makeMigrated()
  await writeFile(path, await migrated, { mode: 0o600 })
}
