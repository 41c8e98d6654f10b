import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { aNewUser, testCountersignOn } from '@countersign/core/testing'
import { expect, it, onTestFinished } from 'vitest'
import { repository } from '../../../tools/workspace.ts'
import { openPostgres } from '../src/index.ts'
import { connect, newDatabase, openMigrated } from './open-migrated.ts'

/** Returns the URL of a role that may use the tables, with so many connections. */
const givenRole = async (url: string, limit: number) => {
  const owner = await connect(url)
  const role = `role_${randomUUID().replaceAll('-', '')}`
  await owner.query(`create role ${role} login connection limit ${limit}; grant usage on schema countersign to ${role};
    grant select, insert, update, delete on all tables in schema countersign to ${role};
    grant usage, select on all sequences in schema countersign to ${role}`)
  onTestFinished(async () => void (await owner.query(`drop owned by ${role}; drop role ${role}`)))
  const ofRole = new URL(url)
  ofRole.username = role
  return { owner, role, url: ofRole.href }
}

it('a role limited to three connections answers 40 readers and 40 writers at once', async () => {
  const { url, storage } = await openMigrated()
  const [user] = await storage.users.create([aNewUser()])
  const limited = await openPostgres({ url: (await givenRole(url, 3)).url })
  onTestFinished(() => limited.close())
  const each = Array.from({ length: 40 }, (_, number) => number)
  const reads = each.map(() => limited.transaction((tx) => tx.users.byId(user?.id ?? 0)))
  const writes = each.map((number) => limited.users.create([aNewUser({ email: `user${number}@example.test` })]))
  const outcomes = await Promise.allSettled([...reads, ...writes])
  expect(outcomes.filter(({ status }) => status === 'rejected')).toStrictEqual([])
})

it('`check` says that everything is right, or that the role lacks a right', async () => {
  const { owner, role, url } = await givenRole((await openMigrated()).url, 10)
  const storage = await openPostgres({ url })
  onTestFinished(() => storage.close())
  const { countersign } = testCountersignOn(storage)
  const status = async () => Object.fromEntries((await countersign.check()).map((row) => [row.check, row.status]))
  expect(await status()).toStrictEqual({ database: 'ok', 'schema version': 'ok', clock: 'ok', keys: 'ok' })
  await owner.query(`revoke update on countersign.confirmations from ${role}`)
  const denied = { check: 'database', status: 'failed', detail: 'database_permission_denied' }
  expect(await countersign.check()).toContainEqual(denied)
})

it('a server role with the documented rights can read every table and sequence, as `pg_dump` does', async () => {
  const url = await newDatabase()
  const [owner, role] = [await connect(url), `role_${randomUUID().replaceAll('-', '')}`]
  const page = readFileSync(join(repository, 'docs/operations/postgresql.md'), 'utf8')
  const [, rights = ''] = /```sql database=countersign\n(create schema [^`]+)```/.exec(page) ?? []
  expect(rights).toContain('alter default privileges for role countersign in schema')
  const ofRole = rights
    .replaceAll('authorization countersign;', 'authorization current_user;')
    .replaceAll('for role countersign in', 'for role current_user in')
    .replaceAll('countersign_server', role)
  await owner.query(`create role ${role}; ${ofRole}`)
  onTestFinished(async () => void (await owner.query(`drop owned by ${role}; drop role ${role}`)))
  const storage = await openPostgres({ url })
  onTestFinished(() => storage.close())
  await storage.migrate()
  const { rows } = await owner.query<{ relkind: string; readable: boolean }>(
    `select relkind, case relkind when 'S' then has_sequence_privilege($1, oid, 'select') else has_table_privilege($1, oid, 'select')
      end as readable
    from pg_class where relnamespace = 'countersign'::regnamespace and relkind in ('r', 'S')`,
    [role],
  )
  expect(new Set(rows.map(({ relkind }) => relkind))).toStrictEqual(new Set(['r', 'S']))
  expect(rows.filter(({ readable }) => !readable)).toStrictEqual([])
})

it('two idle connections stay open, and are used if the database gives no more connections', async () => {
  const { url, storage } = await openMigrated()
  const { owner, role, url: ofRole } = await givenRole(url, 10)
  const [user] = await storage.users.create([aNewUser()])
  const limited = await openPostgres({ url: ofRole })
  onTestFinished(() => limited.close())
  const readTogether = () =>
    Promise.all(Array.from({ length: 6 }, () => limited.transaction((tx) => tx.users.byId(user?.id ?? 0))))
  await readTogether()
  await new Promise((resolve) => setTimeout(resolve, 11_000))
  const open = `select from pg_stat_activity where usename = $1 and application_name = 'countersign'`
  // The server takes a moment to end a closed connection.
  await expect.poll(async () => (await owner.query(open, [role])).rows).toHaveLength(2)
  await owner.query(`alter role ${role} connection limit 0`)
  expect((await readTogether()).map((found) => found?.id)).toStrictEqual(Array(6).fill(user?.id))
})

it('a role with an empty search path can migrate', async () => {
  const url = new URL(await newDatabase())
  url.searchParams.set('options', '-c search_path=')
  const storage = await openPostgres({ url: url.href })
  onTestFinished(() => storage.close())
  expect((await storage.migrate()).length).toBeGreaterThan(0)
})

it('the change feed skips rows of transactions that a restored database has not reached', async () => {
  const { url } = await openMigrated()
  const client = await connect(url)
  const { readChanges } = await import('../src/changes/read-changes.ts')
  const { snapshot } = await readChanges(client, 'countersign', undefined)
  await client.query(`insert into changes (kind, subject, at, transaction)
    values ('user', '1', 0, (pg_current_xact_id()::text::bigint + 1000000)::text::xid8)`)
  await client.query(`insert into changes (kind, subject, at) values ('user', '2', 0)`)
  expect((await readChanges(client, 'countersign', snapshot)).changes).toStrictEqual([{ kind: 'user', subject: '2' }])
})
