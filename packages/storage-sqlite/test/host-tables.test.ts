import type { MigratedStorage } from '@countersign/core/storage'
import { aNewUser, aSession, clockStart as now } from '@countersign/core/testing'
import Sqlite from 'better-sqlite3'
import { describe, expect, it, onTestFinished } from 'vitest'
import { callEverything } from '../../storage-sql/test/call-everything.ts'
import { migrationNames } from '../../storage-sql/test/migration-names.ts'
import { openSqlite } from '../src/index.ts'
import { temporaryPath } from './temporary-file.ts'

const openPrefix = async (path: string, tablePrefix?: string): Promise<MigratedStorage> => {
  const storage = await openSqlite({ path, ...(tablePrefix !== undefined && { tablePrefix }) })
  onTestFinished(() => storage.close())
  return storage
}

/** Creates a file in which the host has tables and indexes with the same names as ours. */
const hostFile = () => {
  const path = temporaryPath()
  const host = new Sqlite(path)
  onTestFinished(() => void host.close())
  host.exec(`
    create table users (id integer primary key autoincrement, nickname text);
    insert into users (nickname) values ('ada');
    create table sessions (id integer); create table changes (id integer); create table projects (id integer);
    create index projects_by_name on projects (id);
    create table project_search (id integer); create table projects_to_index (id integer);
    create table kysely_migration (name text primary key, timestamp text);
    insert into kysely_migration values ('host-1', 'then');
    create table kysely_migration_lock (id text)`)
  const all = (text: string) => host.prepare(text).all()
  const hostRows = () => [
    all('select * from users'),
    all('select * from kysely_migration'),
    all(`select name from sqlite_schema where name not like 'countersign%' and name not like 'sqlite%' order by 1`),
    all(`select * from sqlite_sequence where name = 'users'`),
  ]
  return { path, hostRows }
}

const addSession = async (storage: MigratedStorage): Promise<string> => {
  const [user] = await storage.users.create([aNewUser()])
  const session = aSession({ userId: user?.id ?? 0 })
  await storage.sessions.open(session)
  return session.id
}

describe('a file that also holds tables of the host', () => {
  it('keeps the tables of the host, although tables of Countersign have the same names', async () => {
    const { path, hostRows } = hostFile()
    const before = hostRows()
    const storage = await openPrefix(path)
    expect(await storage.migrationStatus()).toStrictEqual({ applied: [], pending: migrationNames, newer: [], foreignTables: [] })
    expect(await storage.migrate()).toStrictEqual(migrationNames)
    expect(await storage.migrationStatus()).toStrictEqual({ applied: migrationNames, pending: [], newer: [], foreignTables: [] })
    await callEverything(storage)
    expect(hostRows()).toStrictEqual(before)
  })

  it('can be the target of a data move from a file with another prefix', async () => {
    const { path, hostRows } = hostFile()
    const before = hostRows()
    const source = await openPrefix(temporaryPath(), 'another_')
    await source.migrate()
    const session = await addSession(source)
    const target = await openPrefix(path)
    await target.takeOver(source)
    expect(await target.sessions.status(session)).toBeDefined()
    expect(hostRows()).toStrictEqual(before)
  })
})

it('two prefixes in one file are independent databases, and data can move between them', async () => {
  const path = temporaryPath()
  const [one, other] = [await openPrefix(path, 'one_'), await openPrefix(path, 'other_')]
  for (const storage of [one, other]) expect(await storage.migrate()).toStrictEqual(migrationNames)
  const session = await addSession(one)
  expect(await other.users.list({ afterId: 0, limit: 10 })).toStrictEqual([])
  expect(await other.sessions.status(session)).toBeUndefined()
  await other.takeOver(one)
  expect(await other.sessions.status(session)).toBeDefined()
  await one.sessions.end(session, 'logout', now)
  expect(await one.sessions.status(session)).toBeUndefined()
  expect(await other.sessions.status(session)).toBeDefined()
})

it.each(['', 'Upper_', 'with space', 'sqlite_own', '1st_', 'a"b', 'x'.repeat(41)])(
  'the prefix %j is refused',
  async (tablePrefix) => {
    await expect(openSqlite({ path: temporaryPath(), tablePrefix })).rejects.toThrow(RangeError)
  },
)
