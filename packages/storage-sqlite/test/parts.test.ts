import Sqlite from 'better-sqlite3'
import { expect, it, onTestFinished } from 'vitest'
import { migrationNames } from '../../storage-sql/test/migration-names.ts'
import { openSqlite } from '../src/index.ts'
import { temporaryPath } from './temporary-file.ts'

const openTwoParts = async (path: string) => {
  const storage = await openSqlite({ path, parts: ['identity', 'approvals'] })
  onTestFinished(() => storage.close())
  await storage.migrate()
  return storage
}

const tablesIn = (path: string): unknown[] => {
  const file = new Sqlite(path)
  onTestFinished(() => void file.close())
  return file.prepare(`select name from sqlite_schema where type = 'table'`).pluck().all()
}

it('a file of identity and approvals has no table of projects, until a storage of all parts migrates', async () => {
  const path = temporaryPath()
  const storage = await openTwoParts(path)
  expect(tablesIn(path).filter((name) => /project|customer|expense|resource|product/.test(String(name)))).toStrictEqual([])
  await expect(storage.probeWrites()).resolves.toBeUndefined()
  const all = await openSqlite({ path })
  onTestFinished(() => all.close())
  await expect(all.probeWrites()).rejects.toMatchObject({
    cause: { forOperator: expect.stringMatching(/^it lacks customers, /) },
  })
  expect(await all.migrate()).toStrictEqual(['0001-projects'])
  await expect(all.probeWrites()).resolves.toBeUndefined()
  expect(await storage.migrationStatus()).toMatchObject({ applied: migrationNames, pending: [], newer: [] })
})

it('a database of all parts cannot be moved without its projects', async () => {
  const source = await openSqlite({ path: temporaryPath() })
  onTestFinished(() => source.close())
  await source.migrate()
  const path = temporaryPath()
  const target = await openTwoParts(path)
  const refused = /^The source has a part that the target was opened without \(0001-projects\)/
  await expect(target.takeOver(source)).rejects.toThrow(refused)
  const all = await openSqlite({ path })
  onTestFinished(() => all.close())
  await all.migrate()
  // The tables are there now, and this storage would not fill them.
  await expect(target.takeOver(source)).rejects.toThrow(refused)
  expect((await all.takeOver(source)).map(({ name }) => name)).toContain('projects')
})

it('a database of two parts is moved into another one', async () => {
  const source = await openTwoParts(temporaryPath())
  const target = await openTwoParts(temporaryPath())
  const tables = (await target.takeOver(source)).map(({ name }) => name)
  expect(tables).toEqual(expect.arrayContaining(['users', 'confirmations']))
  expect(tables).not.toContain('projects')
})
