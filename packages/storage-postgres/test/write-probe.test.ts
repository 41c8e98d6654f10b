import { Unavailable } from '@countersign/core/storage'
import pg from 'pg'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { startPostgres } from '../../../tools/testing/start-postgres.ts'
import { STANDBY, startStandby } from '../../../tools/testing/start-standby.ts'
import { connect, newDatabase, open, openMigrated } from './open-migrated.ts'

vi.setConfig({ testTimeout: 60_000 })

const PROBES = `select pid, backend_start, wait_event from pg_stat_activity where application_name = 'countersign-probe'
  and datname = current_database()`

const waitingFor = (milliseconds: number) => new Promise<'late'>((resolve) => setTimeout(resolve, milliseconds, 'late'))

const reasonOf = (probing: Promise<void>): Promise<unknown> =>
  probing.then(
    () => undefined,
    (error: unknown) => (error instanceof Unavailable ? error.reason : error),
  )

describe('the probe of writes', () => {
  it('writes to the log of the database and to its disk, and changes no table', async () => {
    const { url, storage } = await openMigrated()
    const client = await connect(url)
    const position = async () => {
      const { rows } = await client.query(
        `select pg_current_wal_insert_lsn() as log, temp_bytes::int as temporary from pg_stat_database where datname = current_database()`,
      )
      return rows[0]
    }
    const before = await position()
    await storage.probeWrites()
    const { rows } = await client.query('select pg_current_wal_insert_lsn() > $1 as grew', [before.log])
    expect(rows).toEqual([{ grew: true }])
    await storage.close()
    await expect.poll(async () => (await position()).temporary).toBeGreaterThan(before.temporary + 100_000)
  })

  it('uses one connection, however many probes there are', async () => {
    const { url, storage } = await openMigrated()
    const client = await connect(url)
    for (let round = 0; round < 3; round += 1) await Promise.all(Array.from({ length: 20 }, () => storage.probeWrites()))
    expect((await client.query(PROBES)).rows).toHaveLength(1)
  })

  it('works for a role that owns nothing', async () => {
    const { url, storage } = await openMigrated()
    await storage.close()
    const client = await connect(url)
    const name = `server_${process.pid}_${Date.now()}`
    await client.query(`create role ${name} login password 'p'; grant usage on schema countersign to ${name};
      grant select, insert, update, delete on all tables in schema countersign to ${name}`)
    onTestFinished(async () => {
      await client.query(`drop owned by ${name}; drop role ${name}`)
    })
    const limited = new URL(url)
    limited.username = name
    limited.password = 'p'
    await expect((await open(limited.href)).probeWrites()).resolves.toBeUndefined()
  })

  it('reports a database that can only be read', async () => {
    const { url, storage } = await openMigrated()
    await storage.probeWrites()
    const client = await connect(url)
    await client.query(`alter database ${new URL(url).pathname.slice(1)} set default_transaction_read_only = on`)
    await client.query(
      'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
    )
    await expect.poll(() => reasonOf(storage.probeWrites())).toBe('database_read_only')
  })

  it('reports a database that is gone, and works again when it is back', async () => {
    // The migration must survive the crash.
    const first = await startPostgres({ settings: { fsync: 'on', synchronous_commit: 'on' } })
    onTestFinished(() => first.remove())
    const storage = await open(first.url)
    await storage.migrate()
    await storage.probeWrites()
    await first.stop('immediate')
    await expect.poll(() => reasonOf(storage.probeWrites())).toBe('database_unreachable')
    const second = await startPostgres({ directory: first.directory, port: first.port })
    onTestFinished(() => second.stop())
    await expect(storage.probeWrites()).resolves.toBeUndefined()
  })
})

describe('a lost synchronous standby', () => {
  it('makes a probe wait on its one session, and further probes open no other session', async () => {
    const primary = await startPostgres({ settings: { fsync: 'on', synchronous_commit: 'on' } })
    onTestFinished(() => primary.remove())
    const storage = await open(primary.url)
    await storage.migrate()
    const client = new pg.Client({ connectionString: primary.url })
    await client.connect()
    onTestFinished(() => client.end())
    const standby = await startStandby(primary, {})
    await client.query(`alter system set synchronous_standby_names = '${STANDBY}'`)
    await client.query('select pg_reload_conf()')
    await expect(storage.probeWrites()).resolves.toBeUndefined()
    await standby.remove()

    const probing = reasonOf(storage.probeWrites())
    expect(await Promise.race([probing, waitingFor(3000)])).toBe('late')
    // A probe at the same time waits for the same statement.
    const second = reasonOf(storage.probeWrites())
    const [session, ...others] = (await client.query(PROBES)).rows
    expect(others).toEqual([])
    expect(session).toMatchObject({ wait_event: 'SyncRep' })
    expect(await Promise.all([probing, second])).toEqual(['database_timeout', 'database_timeout'])
    expect(await reasonOf(storage.probeWrites())).toBe('connections_in_use')
    expect((await client.query(PROBES)).rows).toMatchObject([{ pid: session.pid, wait_event: 'SyncRep' }])

    await client.query('alter system reset synchronous_standby_names')
    await client.query('select pg_reload_conf()')
    await expect.poll(() => reasonOf(storage.probeWrites())).toBeUndefined()
  })

  it('does not delay closing a storage', async () => {
    const url = await newDatabase()
    const storage = await open(url)
    await storage.migrate()
    const probing = reasonOf(storage.probeWrites())
    await storage.close()
    // The probe had its connection, or had it not yet.
    expect([undefined, 'database_unreachable']).toContain(await probing)
    const client = await connect(url)
    await expect.poll(async () => (await client.query(PROBES)).rows).toEqual([])
  })
})
