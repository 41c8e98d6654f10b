import Sqlite from 'better-sqlite3'
import { describe, expect, it, onTestFinished } from 'vitest'
import { earlierVersions, migrationNames, unreleased } from '../../storage-sql/test/migration-names.ts'
import { openSqlite } from '../src/index.ts'
import { otherProcess } from './other-process.ts'
import { temporaryPath } from './temporary-file.ts'

const open = async (path: string) => {
  const storage = await openSqlite({ path })
  onTestFinished(() => storage.close())
  return storage
}

const connect = (path: string) => {
  const connection = new Sqlite(path)
  onTestFinished(() => void connection.close())
  const tables = () => connection.prepare(`select name from sqlite_schema where type = 'table' order by name`).pluck().all()
  return { connection, tables }
}

describe('migrations', () => {
  it('are applied once, and the applied names are returned', async () => {
    const storage = await open(temporaryPath())
    expect(await storage.migrationStatus()).toStrictEqual({ applied: [], pending: migrationNames, newer: [], foreignTables: [] })
    expect(await storage.migrate()).toStrictEqual(migrationNames)
    expect(await storage.migrationStatus()).toStrictEqual({ applied: migrationNames, pending: [], newer: [], foreignTables: [] })
    expect(await storage.migrate()).toStrictEqual([])
  })

  it('are rolled back completely when one fails, and succeed after the cause is removed', async () => {
    const path = temporaryPath()
    const storage = await open(path)
    const { connection, tables } = connect(path)
    connection.exec('create table countersign_changes (in_the_way integer)')
    await expect(storage.migrate()).rejects.toThrow('table "countersign_changes" already exists')
    expect(tables()).toStrictEqual(['countersign_changes'])
    expect(await storage.migrationStatus()).toStrictEqual({
      applied: [],
      pending: migrationNames,
      newer: [],
      foreignTables: ['changes'],
    })
    connection.exec('drop table countersign_changes')
    expect(await storage.migrate()).toStrictEqual(migrationNames)
  })

  it('are applied by only one of several processes that start together', async () => {
    const path = temporaryPath()
    const processes = await Promise.all([1, 2, 3].map(() => otherProcess(path)))
    for (const { kill } of processes) onTestFinished(kill)
    const applied = await Promise.all(processes.map((each) => each.call('migrate')))
    expect(applied.toSorted((a, b) => String(a).length - String(b).length)).toStrictEqual([[], [], migrationNames])
  })

  it('are applied by only one of several storages in one process', async () => {
    const path = temporaryPath()
    const storages = [await open(path), await open(path), await open(path)]
    const applied = await Promise.all(storages.map((each) => each.migrate()))
    expect(applied.flat()).toStrictEqual(migrationNames)
  })

  it('of a newer version are kept and reported', async () => {
    const path = temporaryPath()
    const storage = await open(path)
    await storage.migrate()
    connect(path).connection.exec(
      `insert into countersign_migrations_identity (name, timestamp) values ('9999-of-a-newer-program', '2030-01-01T00:00:00.000Z')`,
    )
    expect(await storage.migrate()).toStrictEqual([])
    expect(await storage.migrationStatus()).toStrictEqual({
      applied: migrationNames,
      pending: [],
      newer: ['9999-of-a-newer-program'],
      foreignTables: [],
    })
  })

  it('of an unreleased version are refused with a sentence, and nothing is changed', async () => {
    const path = temporaryPath()
    const { connection, tables } = connect(path)
    connection.exec(`create table countersign_users (id integer); create table countersign_kysely_migration (name text);
      insert into countersign_kysely_migration values ('0001-identity'), ('0002-approvals')`)
    const storage = await open(path)
    for (const call of [storage.migrate, storage.migrationStatus]) await expect(call()).rejects.toMatchObject(unreleased)
    expect(tables()).toStrictEqual(['countersign_kysely_migration', 'countersign_users'])
  })

  it.each(earlierVersions)('of an earlier version of a migration are refused with a sentence (%s)', async (statement) => {
    const path = temporaryPath()
    const storage = await open(path)
    await storage.migrate()
    connect(path).connection.exec(statement.replace('migrations_', 'countersign_migrations_'))
    for (const call of [storage.migrate, storage.migrationStatus]) await expect(call()).rejects.toMatchObject(unreleased)
  })
})
