import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { earlierVersions, migrationNames, unreleased } from '../../storage-sql/test/migration-names.ts'
import { connect, newDatabase, open } from './open-migrated.ts'

describe('migrations', () => {
  it('are applied once, and the applied names are returned', async () => {
    const storage = await open(await newDatabase())
    expect(await storage.migrationStatus()).toStrictEqual({ applied: [], pending: migrationNames, newer: [], foreignTables: [] })
    expect(await storage.migrate()).toStrictEqual(migrationNames)
    expect(await storage.migrationStatus()).toStrictEqual({ applied: migrationNames, pending: [], newer: [], foreignTables: [] })
    expect(await storage.migrate()).toStrictEqual([])
  })

  it('are rolled back completely when one fails, and succeed after the cause is removed', async () => {
    const url = await newDatabase()
    const storage = await open(url)
    const client = await connect(url)
    const tables = async () => {
      const { rows } = await client.query<{ name: string }>(
        `select table_name as name from information_schema.tables where table_schema in ('public', 'countersign') order by 1`,
      )
      return rows.map(({ name }) => name)
    }
    await client.query('create schema countersign; create table countersign.changes (in_the_way integer)')
    await expect(storage.migrate()).rejects.toThrow('"changes" already exists')
    expect(await tables()).toStrictEqual(['changes'])
    expect(await storage.migrationStatus()).toStrictEqual({
      applied: [],
      pending: migrationNames,
      newer: [],
      foreignTables: ['changes'],
    })
    await client.query('drop table countersign.changes')
    expect(await storage.migrate()).toStrictEqual(migrationNames)
  })

  it('name each right that the role lacks, one after another, and begin once the role has them', async () => {
    const url = new URL(await newDatabase())
    const role = `role_${randomUUID().replaceAll('-', '')}`
    const client = await connect(url.href)
    await client.query(`create role ${role}`)
    onTestFinished(async () => void (await client.query(`drop owned by ${role} cascade; drop role ${role}`)))
    const tables = async () => (await client.query(`select from pg_tables where schemaname = 'countersign'`)).rowCount
    url.searchParams.set('options', `-c role=${role}`)
    const storage = await open(url.href)

    /** Runs the statement at the end of the sentence that refuses the migration. */
    const grant = async (sentence: RegExp) => {
      const refusal: unknown = await storage.migrate().catch((error: unknown) => error)
      expect(refusal).toMatchObject({
        reason: 'database_permission_denied',
        cause: { forOperator: expect.stringMatching(sentence) },
      })
      expect(await tables()).toBe(0)
      const { cause } = refusal as { cause: { forOperator: string } }
      await client.query(cause.forOperator.slice(cause.forOperator.lastIndexOf(': ') + 2))
    }
    await client.query('create schema countersign')
    await grant(/^its role role_\w+ may not create tables in the schema countersign; its owner can: grant /)
    await client.query('drop schema countersign')
    await grant(/may not create the schema countersign; an administrator of the database can: create schema /)
    await grant(/may not create the extension pg_trgm in test_\w+; an administrator of the database can: create extension /)
    expect(await storage.migrate()).toStrictEqual(migrationNames)
  })

  it('are applied by only one of several storages that start concurrently', async () => {
    const url = await newDatabase()
    const storages = [await open(url), await open(url), await open(url)]
    const applied = await Promise.all(storages.map((storage) => storage.migrate()))
    expect(applied.flat()).toStrictEqual(migrationNames)
  })

  it('wait for each other even longer than the lock_timeout of the database', async () => {
    const url = await newDatabase()
    const client = await connect(url)
    await client.query(`alter database "${new URL(url).pathname.slice(1)}" set lock_timeout = '1ms'`)
    const storages = [await open(url), await open(url), await open(url)]
    const applied = await Promise.all(storages.map((storage) => storage.migrate()))
    expect(applied.flat()).toStrictEqual(migrationNames)
  })

  it('of a newer version are kept and reported', async () => {
    const url = await newDatabase()
    const storage = await open(url)
    await storage.migrate()
    const client = await connect(url)
    await client.query(
      `insert into migrations_identity (name, timestamp) values ('9999-of-a-newer-program', '2030-01-01T00:00:00.000Z')`,
    )
    expect(await storage.migrate()).toStrictEqual([])
    expect(await storage.migrationStatus()).toStrictEqual({
      applied: migrationNames,
      pending: [],
      newer: ['9999-of-a-newer-program'],
      foreignTables: [],
    })
  })

  it('of an unreleased version are refused with a sentence', async () => {
    const url = await newDatabase()
    const client = await connect(url)
    await client.query(`create schema countersign; create table countersign.kysely_migration (name text);
      create table countersign.users (id bigint); insert into countersign.kysely_migration values ('0002-approvals')`)
    const storage = await open(url)
    for (const call of [storage.migrate, storage.migrationStatus]) await expect(call()).rejects.toMatchObject(unreleased)
  })

  it.each(earlierVersions)('of an earlier version of a migration are refused with a sentence (%s)', async (statement) => {
    const url = await newDatabase()
    const storage = await open(url)
    await storage.migrate()
    await (await connect(url)).query(statement)
    for (const call of [storage.migrate, storage.migrationStatus]) await expect(call()).rejects.toMatchObject(unreleased)
  })

  it('of one part are applied while the other parts are in use', async () => {
    const url = await newDatabase()
    const storage = await open(url)
    await storage.migrate()
    const client = await connect(url)
    const projects = ['customers', 'projects', 'products', 'project_participants', 'project_numbers', 'project_counts']
    const more = ['project_count_deltas', 'project_lists', 'resources', 'staged_resources', 'expenses', 'staged_expenses']
    const all = [...projects, ...more, 'product_schemas', 'product_schema_registry', 'migrations_projects']
    await client.query(`drop table ${all.join(', ')}`)
    expect(await storage.migrationStatus()).toMatchObject({
      applied: ['0001-identity', '0001-approvals'],
      pending: ['0001-projects'],
    })
    expect(await storage.migrate()).toStrictEqual(['0001-projects'])
    expect(await storage.migrationStatus()).toMatchObject({ applied: migrationNames, foreignTables: [] })
    await storage.ping()
  })

  it('use only a transaction-level lock, because a session-level lock would never be released behind a pooler', async () => {
    const storage = await open(await newDatabase())
    const query = vi.spyOn(pg.Client.prototype, 'query')
    await storage.migrate()
    const texts = query.mock.calls.map(([statement]: readonly unknown[]) =>
      typeof statement === 'string' ? statement : String((statement as pg.QueryConfig).text),
    )
    query.mockRestore()
    const locks = texts.filter((text) => text.includes('advisory'))
    expect(locks).toStrictEqual([expect.stringContaining('pg_try_advisory_xact_lock')])
  })
})
