import type { MigratedStorage } from '@countersign/core/storage'
import { aNewUser, aSession, clockStart as now } from '@countersign/core/testing'
import { openSqlite } from '@countersign/storage-sqlite'
import pg from 'pg'
import { describe, expect, it, onTestFinished } from 'vitest'
import { callEverything } from '../../storage-sql/test/call-everything.ts'
import { migrationNames } from '../../storage-sql/test/migration-names.ts'
import { temporaryPath } from '../../storage-sqlite/test/temporary-file.ts'
import { openPostgres } from '../src/index.ts'
import { newDatabase } from './open-migrated.ts'

const openSchema = async (url: string, schema?: string): Promise<MigratedStorage> => {
  const storage = await openPostgres({ url, ...(schema !== undefined && { schema }) })
  onTestFinished(() => storage.close())
  return storage
}

/** Opens a connection of the host, with the default search path. */
const hostConnection = async (url: string): Promise<pg.Client> => {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  onTestFinished(() => client.end())
  return client
}

/** Creates a database in which the host has tables, an index and a function with the same names as ours. */
const hostDatabase = async () => {
  const url = await newDatabase()
  const host = await hostConnection(url)
  await host.query(`
    create table users (id integer primary key, nickname text);
    insert into users values (1, 'ada');
    create table sessions (id integer); create table changes (id integer); create table projects (id integer);
    create index projects_by_name on projects (id); create index projects_by_text on projects (id);
    create table kysely_migration (name text primary key, timestamp text);
    insert into kysely_migration values ('host-1', 'then');
    create table kysely_migration_lock (id text);
    create function notify_changes() returns trigger language plpgsql as 'begin return null; end'`)
  const hostRows = async () => {
    const read = async (text: string) => (await host.query(text)).rows
    return [
      await read('select * from users'),
      await read('select * from kysely_migration'),
      await read(`select tablename from pg_tables where schemaname = 'public' order by 1`),
      await read(`select indexname from pg_indexes where schemaname = 'public' order by 1`),
    ]
  }
  return { url, hostRows }
}

const addSession = async (storage: MigratedStorage): Promise<string> => {
  const [user] = await storage.users.create([aNewUser()])
  const session = aSession({ userId: user?.id ?? 0 })
  await storage.sessions.open(session)
  return session.id
}

describe('a database that also holds tables of the host', () => {
  it('keeps the tables of the host, although tables of Countersign have the same names', async () => {
    const { url, hostRows } = await hostDatabase()
    const before = await hostRows()
    const storage = await openSchema(url)
    expect(await storage.migrationStatus()).toStrictEqual({ applied: [], pending: migrationNames, newer: [], foreignTables: [] })
    expect(await storage.migrate()).toStrictEqual(migrationNames)
    expect(await storage.migrationStatus()).toStrictEqual({ applied: migrationNames, pending: [], newer: [], foreignTables: [] })
    await callEverything(storage)
    expect(await hostRows()).toStrictEqual(before)
  })

  it('can be the target and the source of a data move with a prefixed SQLite database', async () => {
    const { url, hostRows } = await hostDatabase()
    const before = await hostRows()
    const sqlite = async (tablePrefix: string) => {
      const storage = await openSqlite({ path: temporaryPath(), tablePrefix })
      onTestFinished(() => storage.close())
      return storage
    }
    const source = await sqlite('one_')
    await source.migrate()
    const session = await addSession(source)
    const target = await openSchema(url, 'moved')
    await target.takeOver(source)
    expect(await target.sessions.status(session)).toBeDefined()
    expect(await hostRows()).toStrictEqual(before)
    const back = await sqlite('other_')
    await back.takeOver(target)
    expect(await back.sessions.status(session)).toBeDefined()
  })
})

describe('two schemas in one database', () => {
  it('are independent: each has its own migrations, users and changes', async () => {
    const url = await newDatabase()
    const [one, other] = [await openSchema(url, 'one'), await openSchema(url, 'other')]
    const applied = await Promise.all([one.migrate(), other.migrate()])
    expect(applied).toStrictEqual([migrationNames, migrationNames])
    const session = await addSession(one)
    expect(await other.users.list({ afterId: 0, limit: 10 })).toStrictEqual([])
    expect(await other.sessions.status(session)).toBeUndefined()
  })

  it('do not notify each other of changes', async () => {
    const url = await newDatabase()
    const [one, other] = [await openSchema(url, 'one'), await openSchema(url, 'other')]
    for (const storage of [one, other]) await storage.migrate()
    const listening = await hostConnection(url)
    const heard: string[] = []
    listening.on('notification', ({ channel }) => heard.push(channel))
    await listening.query('listen one_changes; listen other_changes; listen countersign_changes')
    const endSession = async (storage: MigratedStorage) => {
      const session = await addSession(storage)
      // The first question for a session opens the connection that announces changes.
      await storage.sessions.status(session)
      await storage.sessions.end(session, 'logout', now)
    }
    await endSession(one)
    await expect.poll(() => new Set(heard)).toStrictEqual(new Set(['one_changes']))
    heard.length = 0
    await endSession(other)
    await expect.poll(() => new Set(heard)).toStrictEqual(new Set(['other_changes']))
  })

  it('can be the source and the target of a data move', async () => {
    const url = await newDatabase()
    const [source, target] = [await openSchema(url, 'one'), await openSchema(url, 'other')]
    await source.migrate()
    const session = await addSession(source)
    await target.takeOver(source)
    expect(await target.sessions.status(session)).toBeDefined()
  })
})

it('an existing schema is used by a role that cannot create one', async () => {
  const url = new URL(await newDatabase())
  const host = await hostConnection(url.href)
  const role = `role_${url.pathname.slice(1)}`
  await host.query(`create extension pg_trgm; create role ${role}; create schema countersign authorization ${role}`)
  onTestFinished(async () => void (await host.query(`drop owned by ${role}; drop role ${role}`)))
  url.searchParams.set('options', `-c role=${role}`)
  const storage = await openPostgres({ url: url.href })
  expect(await storage.migrate()).toStrictEqual(migrationNames)
  await storage.close()
})

it.each(['', 'Upper', 'with space', 'pg_own', '1st', 'a"b', 'x'.repeat(41)])('the schema name %j is refused', async (schema) => {
  await expect(openPostgres({ url: 'postgres://127.0.0.1:9/none', schema })).rejects.toThrow(RangeError)
})
