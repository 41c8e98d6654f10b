import { existsSync } from 'node:fs'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { describeWithRedisServers } from '../../../../tools/testing/describe-with-redis.ts'
import { startRedis } from '../../../../tools/testing/start-redis.ts'
import { createWorkplace, type Workplace } from '../testing/run-command.ts'
import { runAsPerson } from '../testing/terminal.ts'

let here: Workplace
beforeEach(() => {
  here = createWorkplace()
})
afterEach(() => here.remove())

interface Row {
  readonly check: string
  readonly status: string
  readonly detail: string
}

/** What the doctor finds in a working environment, or in a broken one. */
const examine = async (code: number, env: Readonly<Record<string, string | undefined>> = {}) => {
  const ran = await here.run(['doctor', '--json'], { env })
  expect(ran).toMatchObject({ code, stderr: '' })
  const rows: readonly Row[] = JSON.parse(ran.stdout)
  return { stdout: ran.stdout, rows, row: (check: string) => rows.find((one) => one.check === check) }
}

test('where all is well there is a row for each check, and exit code 0', async () => {
  await here.json(['migrate'])
  const { rows } = await examine(0)
  expect(rows).toEqual([
    { check: 'node', status: 'ok', detail: process.versions.node },
    { check: 'database', status: 'ok', detail: here.env.COUNTERSIGN_DATABASE_URL },
    { check: 'schema version', status: 'ok', detail: expect.stringMatching(/^\d{4}-/) },
    { check: 'keys', status: 'ok', detail: expect.stringMatching(/^tokens: k\w+; fields: k\w+$/) },
    { check: 'cache', status: 'not_configured', detail: expect.any(String) },
    { check: 'push', status: 'not_configured', detail: expect.any(String) },
  ])
})

test('a database that is not there yet is told, and not made', async () => {
  const { row } = await examine(1)
  expect(row('database')).toMatchObject({ status: 'failed', detail: expect.stringContaining('does not exist yet') })
  expect(row('schema version')).toMatchObject({ status: 'failed' })
  expect(existsSync(here.env.COUNTERSIGN_DATABASE_URL?.slice('sqlite:'.length) ?? '')).toBe(false)
})

test('a schema that is behind names what is pending', async () => {
  await here.json(['migrate', '--status'])
  const { row } = await examine(1)
  expect(row('database')).toMatchObject({ status: 'ok' })
  expect(row('schema version')).toMatchObject({ status: 'failed', detail: expect.stringMatching(/^pending: 0001-/) })
})

test('keys that are not made yet are told, and not made', async () => {
  const { row } = await examine(1, { COUNTERSIGN_JWT_KEYS: undefined })
  expect(row('keys')).toMatchObject({ status: 'not_configured' })
  expect(existsSync(`${here.directory}/.countersign`)).toBe(false)
})

test('a broken configuration is found whole, without a secret or a stack trace', async () => {
  const { rows, row, stdout } = await examine(1, {
    COUNTERSIGN_DATABASE_URL: 'postgres://ada:canary-password@127.0.0.1:1/none?options=canary-option',
    COUNTERSIGN_JWT_KEYS: 'k1:canary-key',
    COUNTERSIGN_PUSH: 'pigeon',
    COUNTERSIGN_PORT: 'canary-port',
    COUNTERSIGN_LOG_LEVEL: 'loud',
    COUNTERSIGN_REDIS_URL: 'redis://:canary-redis@127.0.0.1:1',
  })
  expect(rows.map(({ check, status }) => [check, status])).toEqual([
    ['node', 'ok'],
    ['configuration', 'failed'],
    ['database', 'failed'],
    ['schema version', 'failed'],
    ['keys', 'failed'],
    ['cache', 'failed'],
    ['push', 'failed'],
  ])
  expect(row('configuration')?.detail).toMatch(/COUNTERSIGN_PORT: must be .*; COUNTERSIGN_LOG_LEVEL: must be /)
  expect(row('database')?.detail).toContain('postgres://127.0.0.1:1/none')
  expect(stdout).not.toContain('canary')
})

test('a webhook that cannot be reached is told without its path and secret', async () => {
  await here.json(['migrate'])
  const { row, stdout } = await examine(1, {
    COUNTERSIGN_PUSH: 'webhook',
    COUNTERSIGN_PUSH_WEBHOOK_URL: 'http://127.0.0.1:1/canary-path',
    COUNTERSIGN_PUSH_WEBHOOK_SECRET: `whsec_${Buffer.from('canary-secret-canary-secret').toString('base64')}`,
  })
  expect(row('push')).toMatchObject({ status: 'failed', detail: 'webhook: http://127.0.0.1:1 cannot be reached (ECONNREFUSED)' })
  expect(stdout).not.toContain('canary')
})

test('a Redis that does not count is told with the reason, and without its password', async () => {
  await here.json(['migrate'])
  const { row, stdout } = await examine(1, { COUNTERSIGN_REDIS_URL: 'redis://ada:canary-password@127.0.0.1:1/2' })
  expect(row('cache')).toMatchObject({
    status: 'failed',
    detail: 'redis://127.0.0.1:1/2 does not count rate limits (ECONNREFUSED); the database does meanwhile',
  })
  expect(stdout).not.toContain('canary')
})

describeWithRedisServers('a Redis that counts', () => {
  test('is shown by its address', async () => {
    const redis = await startRedis({ settings: ['--requirepass', 'canary-password'] })
    try {
      await here.json(['migrate'])
      const { row, stdout } = await examine(0, { COUNTERSIGN_REDIS_URL: `redis://:canary-password@127.0.0.1:${redis.port}` })
      expect(row('cache')).toMatchObject({ status: 'ok', detail: `rate limits are counted in ${redis.url}` })
      expect(stdout).not.toContain('canary')
    } finally {
      await redis.remove()
    }
  })
})

test('people see a table, and the same exit code', async () => {
  const { code, shown } = await runAsPerson(here, ['doctor'])
  expect(code).toBe(1)
  expect(shown).toMatch(/│ database +│ failed +│/)
  for (const line of shown.split('\n')) expect(line.length).toBeLessThanOrEqual(80)
})
