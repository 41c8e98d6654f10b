import { setTimeout } from 'node:timers/promises'
import { allParts } from '@countersign/core/storage'
import { aNewUser, aSession } from '@countersign/core/testing'
import { type Kysely, sql } from 'kysely'
import { describe, expect, it, onTestFinished } from 'vitest'
import { startStopwatch } from '../../../tools/testing/stopwatch.ts'
import { migrations, type PartMigration } from '../../storage-sql/src/migrations/index.ts'
import { applyMigrations } from '../../storage-sql/src/shared/migrate.ts'
import { tablesOf } from '../../storage-sql/src/tables/index.ts'
import { writesShare } from '../src/connection-queue.ts'
import { connectionSettings, DEFAULT_MAX_AGE } from '../src/connection-settings.ts'
import { postgresEngine } from '../src/engine.ts'
import { migrationDialect } from '../src/migrations/dialect.ts'
import { createPool, createPoolWithoutTimeouts } from '../src/pool.ts'
import { connector } from '../src/servers/connector.ts'
import { readServers } from '../src/servers/read-servers.ts'
import { connect, openMigrated } from './open-migrated.ts'

const schema = 'countersign'

const addColumn = (table: string): PartMigration => ({
  up: (db: Kysely<unknown>) => db.schema.alterTable(table).addColumn('added', 'text').execute(),
})
const addIndex: PartMigration = {
  addsOnlyIndexes: true,
  up: async (db: Kysely<unknown>) => {
    await db.schema.createIndex('users_added_first').on('users').columns(['name', 'id']).execute()
    await db.schema.createIndex('users_added_last').on('users').column('name').where(sql.ref('id'), '>', 0).execute()
  },
}

/** Opens a database in use, whose next version has further migrations. */
const withNextVersion = async (next: Readonly<Record<string, PartMigration>>) => {
  const { url, storage } = await openMigrated()
  const [user] = await storage.users.create([aNewUser()])
  const servers = connector(readServers(url), connectionSettings)
  const pool = createPool(servers, 3, DEFAULT_MAX_AGE)
  const engine = postgresEngine({ servers, pool, probePool: createPoolWithoutTimeouts(servers) }, writesShare(3), {
    schema,
    tables: tablesOf(allParts),
    observer: undefined,
  })
  onTestFinished(() => engine.close())
  const released = migrations(migrationDialect)
  const own = { place: { schema }, parts: allParts, migrations: { ...released, identity: { ...released.identity, ...next } } }
  const waits: string[] = []
  const migrate = () =>
    engine.migration(
      (runStep) => applyMigrations(runStep, own),
      (why) => waits.push(why),
    )
  /** Uses the table `users` as a login does: finds the user, and stores a session that refers to the user. */
  const logIn = async () => {
    const found = await storage.users.byEmail(user?.email ?? '')
    await storage.sessions.open(aSession({ userId: found?.id ?? 0 }))
  }
  return { client: await connect(url), other: await connect(url), migrate, logIn, waits }
}

describe('a migration while the transaction of another program is idle', () => {
  it('does not block logins, names the process that holds the lock, and is applied after that transaction has ended', async () => {
    const { client, migrate, logIn, waits } = await withNextVersion({ '9999-users': addColumn('users') })
    await client.query(`set application_name = 'psql'; begin; select from users`)
    const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
    const migrating = migrate()
    let slowest = 0
    while (waits.length < 2) {
      const time = startStopwatch()
      await logIn()
      slowest = Math.max(slowest, time())
      await setTimeout(10)
    }
    expect(slowest).toBeLessThan(1500)
    const idle = `process ${rows[0]?.pid} \\(psql, idle in transaction for \\d+ s\\) holds AccessShareLock on users`
    expect(waits).toStrictEqual([
      expect.stringMatching(new RegExp(`^The migration waits: ${idle}. It tries again in 1 s$`)),
      expect.stringMatching(new RegExp(`^The migration waits: ${idle}. It tries again in 2 s$`)),
    ])
    await client.query('commit')
    expect(await migrating).toStrictEqual(['9999-users'])
  })

  it('keeps the migrations that were applied before the one that waits', async () => {
    const { client, other, migrate } = await withNextVersion({
      '9998-devices': addColumn('devices'),
      '9999-users': addColumn('users'),
    })
    await client.query('begin; select from users')
    const migrating = migrate()
    const applied = async () => (await other.query('select from migrations_identity where name like $1', ['999%'])).rowCount
    await expect.poll(applied).toBe(1)
    await client.query('commit')
    expect(await migrating).toStrictEqual(['9998-devices', '9999-users'])
  })
})

describe('a migration that only adds indexes', () => {
  it('does not block writes of other programs, and replaces an unfinished index', async () => {
    const { client, other, migrate, logIn, waits } = await withNextVersion({ '9999-index': addIndex })
    // A unique index on equal names fails, and stays behind as an invalid one.
    await other.query(
      `insert into users select (jsonb_populate_record(users, '{"id":"99","email":"b@example.test"}')).* from users`,
    )
    await expect(other.query('create unique index concurrently users_added_first on users (name)')).rejects.toThrow('unique')
    await client.query('begin; update users set name = name where id = 99')
    const migrating = migrate()
    await expect.poll(() => waits).toHaveLength(1)
    expect(waits[0]).toMatch(/^The migration builds an index and waits: process \d+ \(.*idle in transaction for \d+ s\) /)
    await other.query(`update users set name = 'Other' where id <> 99`)
    await logIn()
    await client.query('commit')
    expect(await migrating).toStrictEqual(['9999-index'])
    const { rows } = await other.query(`select indexrelid::regclass::text as name, indisvalid as valid, indisunique as unique
      from pg_index where indexrelid::regclass::text like 'users_added%' order by 1`)
    expect(rows).toStrictEqual([
      { name: 'users_added_first', valid: true, unique: false },
      { name: 'users_added_last', valid: true, unique: false },
    ])
  })
})
