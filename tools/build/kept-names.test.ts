import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import Sqlite from 'better-sqlite3'
import { build } from 'esbuild'
import { expect, onTestFinished, test } from 'vitest'
import { repository } from '../workspace.ts'

test('the thread that waits for the disk starts in code in which esbuild keeps the names of functions', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'countersign-names-'))
  // The driver is found from here.
  const outfile = join(repository, 'node_modules', '.cache', `kept-names-${process.pid}.mjs`)
  const file = join(directory, 'test.db')
  const connection = new Sqlite(file)
  onTestFinished(() => {
    connection.close()
    for (const path of [directory, outfile]) rmSync(path, { recursive: true })
  })
  connection.exec('pragma journal_mode = wal; create table notes (text text)')

  const entry = join(repository, 'packages', 'storage-sqlite', 'src', 'disk-thread.ts')
  const options = { bundle: true, packages: 'external', platform: 'node', format: 'esm', keepNames: true } as const
  await build({ ...options, entryPoints: [entry], outfile })
  const { startDiskThread } = (await import(
    pathToFileURL(outfile).href
  )) as typeof import('../../packages/storage-sqlite/src/disk-thread.ts')
  const thread = await startDiskThread(file)
  await expect(thread.flush()).resolves.toBeUndefined()
  await thread.tend()
  await thread.close()
})
