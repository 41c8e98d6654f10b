import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { aNewUser } from '@countersign/core/testing'
import { expect, it, onTestFinished, vi } from 'vitest'
import { giveToAccount, startPostgres } from '../../../tools/testing/start-postgres.ts'
import { startStopwatch } from '../../../tools/testing/stopwatch.ts'
import { openPostgres } from '../src/index.ts'
import { connect, newDatabase } from './open-migrated.ts'

vi.setConfig({ testTimeout: 60_000 })

const MAX_AGE = 1000

const SESSIONS = `select pid, application_name as name from pg_stat_activity
  where datname = current_database() and application_name like 'countersign%'`
const SESSIONS_OF_APP = `select pid from pg_stat_activity where usename = 'app'`

it('every connection is replaced before it is too old, and no call fails', async () => {
  const url = await newDatabase()
  const storage = await openPostgres({ url, connectionMaxAge: MAX_AGE })
  onTestFinished(() => storage.close())
  await storage.migrate()
  const client = await connect(url)
  const [user] = await storage.users.create([aNewUser()])
  const sessions = async () => (await client.query<{ pid: number; name: string }>(SESSIONS)).rows

  const stopAt = performance.now() + 5 * MAX_AGE
  const firstSeen = new Map<number, number>()
  const names = new Set<string>()
  const age = startStopwatch()
  let oldest = 0
  let calls = 0
  const work = Array.from({ length: 6 }, async () => {
    while (performance.now() < stopAt) {
      expect(await storage.users.byId(user?.id ?? 0)).toBeDefined()
      await storage.sessions.status('none')
      calls += 1
    }
  })
  const probes = (async () => {
    while (performance.now() < stopAt) await storage.probeWrites()
  })()
  while (performance.now() < stopAt) {
    const now = age()
    for (const { pid, name } of await sessions()) {
      names.add(name)
      if (!firstSeen.has(pid)) firstSeen.set(pid, now)
      oldest = Math.max(oldest, now - (firstSeen.get(pid) ?? now))
    }
    await client.query('select pg_sleep(0.05)')
  }
  await Promise.all([...work, probes])
  expect([...names].sort()).toEqual(['countersign', 'countersign-listener', 'countersign-probe'])
  expect(oldest).toBeLessThan(2 * MAX_AGE)
  expect(firstSeen.size).toBeGreaterThan(3 * 3)
  expect(calls).toBeGreaterThan(100)
})

it('a rotated password of a password file is used within the age, and no call fails', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'countersign-passwords-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const hba = join(folder, 'hba.conf')
  await writeFile(hba, 'host all postgres 127.0.0.1/32 trust\nhost all all 127.0.0.1/32 scram-sha-256\n')
  giveToAccount(folder)
  const server = await startPostgres({ settings: { hba_file: hba } })
  onTestFinished(() => server.remove())
  const client = await connect(server.url)
  await client.query(`create role app login password 'first'`)
  await client.query('create database app owner app')
  const file = join(folder, 'passwords')
  const writePassword = (password: string) => writeFile(file, `*:*:*:app:${password}\n`, { mode: 0o600 })
  await writePassword('first')
  vi.stubEnv('PGPASSFILE', file)
  onTestFinished(() => void vi.unstubAllEnvs())
  const storage = await openPostgres({ url: `postgres://app@127.0.0.1:${server.port}/app`, connectionMaxAge: MAX_AGE })
  onTestFinished(() => storage.close())
  await storage.migrate()
  const sessions = async () => (await client.query<{ pid: number }>(SESSIONS_OF_APP)).rows.map(({ pid }) => pid)
  // On a busy machine, the connections of the migration may be too old by now.
  await storage.users.byId(1)
  const before = await sessions()
  expect(before.length).toBeGreaterThan(0)

  await Promise.all([writePassword('second'), client.query(`alter role app password 'second'`)])
  const stopAt = performance.now() + 2 * MAX_AGE
  while (performance.now() < stopAt) await storage.users.byId(1)
  const after = await sessions()
  expect(after.length).toBeGreaterThan(0)
  expect(after.filter((pid) => before.includes(pid))).toEqual([])
  await expect(openPostgres({ url: `postgres://app:first@127.0.0.1:${server.port}/app` })).rejects.toMatchObject({
    reason: 'database_login_refused',
  })
})
