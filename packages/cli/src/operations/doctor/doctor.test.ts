import { createHash, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { DatabaseSync } from 'node:sqlite'
import { generateReceiptKeyRing, parseReceiptKeyRing, silentLogger } from '@countersign/core'
import { sealedColumns } from '@countersign/core/storage'
import {
  anAnnouncement,
  createTestDevice,
  registerTestDevice,
  signInByPasskey,
  signInNewDeviceUser,
  signInNewPasskeyUser,
  signInNewUser,
  testPassword,
  validPayloads,
} from '@countersign/core/testing'
import { demoUser, openCountersign, readConfig } from '@countersign/server'
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { createPostgresDatabase } from '../../../../../tools/testing/create-postgres-database.ts'
import { describeWithRedisServers } from '../../../../../tools/testing/describe-with-redis.ts'
import { freePort } from '../../../../../tools/testing/free-port.ts'
import { startRedis } from '../../../../../tools/testing/start-redis.ts'
import { startMailServer } from '../../../../server/src/testing/mail-server.ts'
import { openCore } from '../../testing/open-core.ts'
import { createWorkplace, type Workplace } from '../../testing/run-command.ts'
import { runAsPerson } from '../../testing/terminal.ts'

let here: Workplace
beforeEach(async () => {
  here = createWorkplace()
  await (await openCore(here)).close()
})

/** Replaces the database by none. */
const withoutDatabase = (): void => {
  here.remove()
  here = createWorkplace()
}
afterEach(() => here.remove())

interface Row {
  readonly check: string
  readonly status: string
  readonly detail: string
}

/**
 * Returns the findings of `doctor` in a working environment, or in a broken one.
 *
 * @param run How to run the command. Only a process of its own sees the secrets file of the workplace.
 */
const examine = async (code: number, env: Readonly<Record<string, string | undefined>> = {}, run = here.run) => {
  const ran = await run(['doctor', '--json'], { env: { COUNTERSIGN_PORT: String(await freePort()), ...env } })
  expect(ran).toMatchObject({ code, stderr: '' })
  const rows: readonly Row[] = JSON.parse(ran.stdout)
  return { stdout: ran.stdout, rows, row: (check: string) => rows.find((one) => one.check === check) }
}

test('doctor prints a row for each check of a working installation, and exits with 0', async () => {
  const { rows } = await examine(0)
  expect(rows).toEqual([
    { check: 'node', status: 'ok', detail: process.versions.node },
    { check: 'environment', status: 'warning', detail: expect.stringMatching(/^NODE_ENV is not set, /) },
    { check: 'address', status: 'ok', detail: expect.stringMatching(/^127\.0\.0\.1:\d+$/) },
    { check: 'parts', status: 'ok', detail: 'identity, approvals, projects' },
    { check: 'database', status: 'ok', detail: here.env.COUNTERSIGN_DATABASE_URL },
    { check: 'clock', status: 'ok', detail: 'the database shares the clock of this machine' },
    { check: 'schema version', status: 'ok', detail: expect.stringMatching(/^\d{4}-/) },
    { check: 'keys', status: 'ok', detail: expect.stringMatching(/^tokens: k\w+; fields: k\w+$/) },
    { check: 'receipts', status: 'not_configured', detail: expect.stringMatching(/^no receipts are made: /) },
    { check: 'password hashes', status: 'ok', detail: 'this machine computes every format' },
    { check: 'cache', status: 'not_configured', detail: expect.any(String) },
    { check: 'push', status: 'not_configured', detail: expect.any(String) },
    { check: 'mail', status: 'not_configured', detail: 'nobody gets a code for a forgotten password by mail' },
    {
      check: 'rate limits',
      status: 'ok',
      detail:
        'authentication 20/10/60, beginning 60/60/60, device-registration 10/5/15, confirmation 50/20/60, ' +
        'device-management 60/30/60, session-opening 100/100/1 (burst/per minute/minutes of the window)',
    },
    { check: 'enrolment', status: 'ok', detail: expect.stringMatching(/^fresh: .* 10 min .* 12 h /) },
    { check: 'gates', status: 'not_configured', detail: 'no operation needs an approval' },
    {
      check: 'retention',
      status: 'ok',
      detail: 'approvals 3650 days, refusals 365 days, service tokens 365 days, removed projects 3650 days',
    },
    { check: 'metrics', status: 'not_configured', detail: 'no metrics are served' },
    { check: 'servers', status: 'ok', detail: 'none runs on the database' },
  ])
})

const production = { NODE_ENV: 'production', COUNTERSIGN_RP_ID: 'example.com', COUNTERSIGN_RECEIPTS: 'off' }
const times = { COUNTERSIGN_FRESH_SECONDS: '90', COUNTERSIGN_COOLING_OFF_SECONDS: '7200' }
const approvals = { COUNTERSIGN_PASSKEY_APPROVALS: 'on' }
const webhook = {
  COUNTERSIGN_PUSH: 'webhook',
  COUNTERSIGN_PUSH_WEBHOOK_URL: 'http://127.0.0.1:1/canary-path',
  COUNTERSIGN_PUSH_WEBHOOK_SECRET: `whsec_${Buffer.from('canary-secret-canary-secret').toString('base64')}`,
}
const signed = { ...production, COUNTERSIGN_RECEIPTS: 'on', COUNTERSIGN_RECEIPT_KEYS: generateReceiptKeyRing() }
const nothingListens = 'nothing listens there (ECONNREFUSED)'

test.each<[check: string, env: Readonly<Record<string, string>>, status: string, detail?: string | RegExp]>([
  [
    'retention',
    { COUNTERSIGN_RETENTION_APPROVALS_DAYS: '6' },
    'warning',
    /^approvals 6 days, .*; approvals are kept for at least 7 days$/,
  ],
  ['retention', { COUNTERSIGN_RETENTION_APPROVALS_DAYS: '7' }, 'ok'],
  [
    'rate limits',
    { COUNTERSIGN_RATE_LIMIT_AUTHENTICATION: '200/100/60' },
    'ok',
    /^authentication 200\/100\/60, beginning 60\/60\/60/,
  ],
  ['rate limits', { COUNTERSIGN_RATE_LIMIT_CONFIRMATION: '3/7/5' }, 'ok', /confirmation 3\/7\/5/],
  ['rate limits', { COUNTERSIGN_RATE_LIMITS: 'off' }, 'not_configured'],
  ['rate limits', { ...production, COUNTERSIGN_RATE_LIMITS: 'off' }, 'warning'],
  ['number matching', { COUNTERSIGN_NUMBER_MATCHING: 'on' }, 'warning', /Countersign-Extended: 1/],
  ['passkey approvals', approvals, 'warning', /^COUNTERSIGN_APPROVER_ORIGINS is not set/],
  [
    'passkey approvals',
    { ...approvals, COUNTERSIGN_APPROVER_ORIGINS: 'https://a.example' },
    'ok',
    'on pages of https://a.example',
  ],
  ['configuration', { COUNTERSIGN_APPROVER_VERIFICATION: 'always' }, 'failed', /always needs COUNTERSIGN_PASSKEY_APPROVALS=on/],
  ['environment', production, 'ok', 'production'],
  ['environment', { ...production, NODE_ENV: 'prod' }, 'failed', /^NODE_ENV has an unknown value, /],
  ['environment', { ...production, NODE_ENV: 'production\r' }, 'failed'],
  ['environment', { COUNTERSIGN_HOST: '0.0.0.0' }, 'failed', /^NODE_ENV: is not set; must be /],
  [
    'origins',
    { COUNTERSIGN_ORIGINS: 'http://localhost:4000,https://a.example,http://b.example' },
    'warning',
    /: http:\/\/b\.example$/,
  ],
  ['origins', { COUNTERSIGN_ORIGINS: 'https://a.example' }, 'absent'],
  ['enrolment', { COUNTERSIGN_ENROLMENT: 'open', ...times }, 'ok', /^open: every new device is trusted immediately/],
  [
    'enrolment',
    { COUNTERSIGN_ENROLMENT: 'vouched', ...times },
    'ok',
    /^vouched: the first device is trusted at most 90 s after a login, or after 2 h /,
  ],
  ['enrolment', { COUNTERSIGN_ENROLMENT: 'closed' }, 'failed', /must be one of open, fresh/],
  [
    'parts',
    { COUNTERSIGN_PARTS: 'approvals,identity' },
    'ok',
    'identity, approvals; another server on this database must serve projects',
  ],
  ['push', webhook, 'failed', `webhook: http://127.0.0.1:1 cannot be reached: ${nothingListens}`],
  [
    'push',
    { COUNTERSIGN_PUSH: 'fcm', COUNTERSIGN_FCM_CREDENTIALS_FILE: '/canary/none.json' },
    'failed',
    'COUNTERSIGN_FCM_CREDENTIALS_FILE: must be the path of the JSON key file of a service account (ENOENT)',
  ],
  [
    'configuration',
    { NODE_ENV: 'production', COUNTERSIGN_PORT: 'porto' },
    'failed',
    /^COUNTERSIGN_PORT: must be .*; COUNTERSIGN_RP_ID: is localhost in production, /,
  ],
  [
    'configuration',
    { NODE_ENV: 'production', COUNTERSIGN_RP_ID: 'https://example.com' },
    'failed',
    /^COUNTERSIGN_RP_ID: must be [^;]*$/,
  ],
  [
    'configuration',
    { COUNTERSIGN_PROT: 'canary', COUNTERSIGN_PUSH_URL: 'canary' },
    'failed',
    'COUNTERSIGN_PROT: is read by nothing; the nearest known name is COUNTERSIGN_PORT; COUNTERSIGN_PUSH_URL: is read by nothing; the nearest known name is COUNTERSIGN_PUSH',
  ],
  [
    'cache',
    { COUNTERSIGN_REDIS_URL: 'redis://ada:canary@127.0.0.1:1/2' },
    'failed',
    `redis://127.0.0.1:1/2 does not count rate limits, and the database does meanwhile: ${nothingListens}`,
  ],
  [
    'mail',
    { COUNTERSIGN_SMTP_URL: 'smtp://ada:canary@127.0.0.1:1', COUNTERSIGN_SMTP_FROM: 'no-reply@example.com' },
    'failed',
    `smtp://127.0.0.1:1 takes no mail: ${nothingListens}`,
  ],
  [
    'gates',
    { COUNTERSIGN_GATES: 'project.approve:document_approval, user.grant:user_access' },
    'ok',
    'project.approve needs a document_approval, user.grant needs a user_access',
  ],
  ['metrics', { COUNTERSIGN_METRICS_PORT: '9464' }, 'ok', '127.0.0.1:9464'],
  [
    'metrics',
    { COUNTERSIGN_METRICS_PORT: '9464', COUNTERSIGN_METRICS_HOST: '::' },
    'ok',
    '[::]:9464; other machines can read them without a token',
  ],
  ['receipts', signed, 'failed', /^COUNTERSIGN_RECEIPT_ISSUER: must be set in production/],
])('doctor shows the row of %s with %j as %s', async (check, env, status, detail = /./) => {
  const { row, stdout } = await examine(status === 'failed' ? 1 : 0, env)
  const found = { check, status, detail: typeof detail === 'string' ? detail : expect.stringMatching(detail) }
  expect(row(check)).toEqual(status === 'absent' ? undefined : found)
  expect(stdout).not.toContain('canary')
})

test("doctor names the settings whose values differ from a running server's, and never shows the values", async () => {
  const server = await openCountersign(readConfig(here.env), { logger: silentLogger })
  onTestFinished(() => server.close())
  await server.announce()
  const { row } = await examine(0)
  expect(row('servers')).toEqual({ check: 'servers', status: 'ok', detail: '1 on the database, with the same settings' })
  const { row: other } = await examine(0, { COUNTERSIGN_ENROLMENT: 'vouched', COUNTERSIGN_GATES: 'user.grant:user_access' })
  expect(other('servers')).toEqual({
    check: 'servers',
    status: 'warning',
    detail: 'a running server has another value of COUNTERSIGN_ENROLMENT, COUNTERSIGN_GATES',
  })
})

test('a missing database is reported, and not created', async () => {
  withoutDatabase()
  const { row } = await examine(1)
  expect(row('database')).toMatchObject({ status: 'failed', detail: expect.stringContaining('does not exist yet') })
  expect(row('schema version')).toMatchObject({ status: 'failed' })
  expect(existsSync(here.env.COUNTERSIGN_DATABASE_URL?.slice('sqlite:'.length) ?? '')).toBe(false)
})

test('an outdated schema is reported with its pending migrations', async () => {
  withoutDatabase()
  await here.json(['migrate', '--status'])
  const { row } = await examine(1)
  expect(row('database')).toMatchObject({ status: 'ok' })
  expect(row('schema version')).toMatchObject({ status: 'failed', detail: expect.stringMatching(/^pending: 0001-/) })
})

test('tables of PostgreSQL are named if a row security policy hides their rows', async () => {
  const { url, query, drop } = await createPostgresDatabase()
  const role = `role_${randomUUID().replaceAll('-', '')}`
  onTestFinished(drop)
  await here.json(['migrate'], { env: { COUNTERSIGN_DATABASE_URL: url } })
  await query(`create role ${role}; grant usage on schema countersign to ${role};
    grant select on all tables in schema countersign to ${role};
    alter table countersign.changes enable row level security; alter table countersign.users enable row level security`)
  onTestFinished(async () => void (await query(`drop owned by ${role}; drop role ${role}`)))
  const { row } = await examine(1, { COUNTERSIGN_DATABASE_URL: `${url}?options=-c%20role%3D${role}` })
  const hidden = 'row level security hides rows of these tables from its role: changes, users'
  expect(row('database')).toMatchObject({ status: 'failed', detail: expect.stringContaining(hidden) })
})

test('a role of PostgreSQL that can only read, and tables of another program, are named', async () => {
  const { url, query, drop } = await createPostgresDatabase()
  const role = `role_${randomUUID().replaceAll('-', '')}`
  onTestFinished(drop)
  await query(
    'create schema countersign; create table countersign.users (id integer); create table countersign.orders (id integer)',
  )
  const before = await examine(1, { COUNTERSIGN_DATABASE_URL: url })
  expect(before.row('schema version')).toMatchObject({
    status: 'failed',
    detail: expect.stringMatching(/^pending: .*; tables of another program are in the place of ours: orders, users$/),
  })
  const refused = await here.run(['migrate'], { env: { COUNTERSIGN_DATABASE_URL: url } })
  expect(refused).toMatchObject({ code: 1, stderr: 'error: tables of another program are in the place of ours: orders, users\n' })
  await query('drop table countersign.users')
  await here.json(['migrate'], { env: { COUNTERSIGN_DATABASE_URL: url } })
  const after = await examine(0, { COUNTERSIGN_DATABASE_URL: url })
  expect(after.row('schema version')).toMatchObject({ status: 'warning', detail: expect.stringMatching(/ours: orders$/) })
  await query(`create role ${role}; grant usage on schema countersign to ${role};
    grant select on all tables in schema countersign to ${role}`)
  onTestFinished(async () => void (await query(`drop owned by ${role}; drop role ${role}`)))
  const { row } = await examine(1, { COUNTERSIGN_DATABASE_URL: `${url}?options=-c%20role%3D${role}` })
  const detail = expect.stringMatching(/ cannot be used: its role may not write these tables: .*, users\b/)
  expect(row('database')).toMatchObject({ status: 'failed', detail })
})

test('a SQLite database that can only be read is refused', async () => {
  const path = here.env.COUNTERSIGN_DATABASE_URL?.replace('sqlite:', '') ?? ''
  const bytes = readFileSync(path)
  // A write version above 2 makes a database read-only, for every user of the system (SQLite, "Database File Format", 1.3.3).
  bytes[18] = 3
  writeFileSync(path, bytes)
  const { row } = await examine(1)
  expect(row('database')).toMatchObject({ status: 'failed', detail: expect.stringMatching(/ is read-only /) })
})

test('a database of PostgreSQL that cannot store every character is refused', async () => {
  const { url, query, drop } = await createPostgresDatabase()
  const name = `latin_${randomUUID().replaceAll('-', '')}`
  onTestFinished(drop)
  await query(`create database ${name} encoding 'LATIN1' template template0 lc_collate 'C' lc_ctype 'C'`)
  onTestFinished(async () => void (await query(`drop database ${name} with (force)`)))
  const ofLatin = new URL(url)
  ofLatin.pathname = `/${name}`
  const env = { COUNTERSIGN_DATABASE_URL: ofLatin.href }
  const { row } = await examine(1, env)
  expect(row('database')).toMatchObject({ status: 'failed', detail: expect.stringContaining('its encoding is LATIN1, ') })
  const migrated = await here.run(['migrate'], { env })
  expect(migrated).toMatchObject({ code: 1, stderr: expect.stringContaining('its encoding is LATIN1, ') })
})

test('a missing database or missing receipt keys in production are reported in rows of their own', async () => {
  const { row } = await examine(1, { NODE_ENV: 'production', COUNTERSIGN_DATABASE_URL: undefined })
  expect(row('database')).toEqual({
    check: 'database',
    status: 'failed',
    detail: 'COUNTERSIGN_DATABASE_URL: must be set in production',
  })
  expect(row('receipts')?.detail).toMatch(/^COUNTERSIGN_RECEIPT_KEYS: must be set in production; /)
})

test('for a database that is down, doctor says what to do next', async () => {
  const { row } = await examine(1, { COUNTERSIGN_DATABASE_URL: 'postgres://ada@127.0.0.1:1/countersign' })
  expect(row('database')?.detail).toMatch(/ cannot be opened: .*; start the database, or correct COUNTERSIGN_DATABASE_URL; /)
})

describe('the address', () => {
  const listen = async (answer: string) => {
    const server = createServer((_request, response) => response.end(answer)).listen(0, '127.0.0.1')
    await once(server, 'listening')
    onTestFinished(() => void server.close())
    return String((server.address() as AddressInfo).port)
  }

  test('is reported if another program listens on it, and not if it is a Countersign server', async () => {
    const taken = await examine(1, { COUNTERSIGN_PORT: await listen('{}') })
    expect(taken.row('address')).toMatchObject({
      status: 'failed',
      detail: expect.stringContaining('in use by another program; '),
    })
    const ours = await examine(0, { COUNTERSIGN_PORT: await listen('{"version":"1.0.0","services":{}}') })
    expect(ours.row('address')).toMatchObject({
      status: 'ok',
      detail: expect.stringMatching(/: a server of Countersign answers$/),
    })
  })

  test('must be an address of this machine; PORT is named if Countersign ignores it', async () => {
    const foreign = await examine(1, { COUNTERSIGN_HOST: '192.0.2.1', NODE_ENV: 'development' })
    expect(foreign.row('address')).toMatchObject({ status: 'failed', detail: expect.stringContaining('(EADDRNOTAVAIL)') })
    const { row } = await examine(0, { COUNTERSIGN_PORT: undefined, PORT: '8080' })
    expect(row('address')).toMatchObject({
      status: 'warning',
      detail: expect.stringContaining('; PORT is set and read by nothing'),
    })
  })
})

test('a .env file with secrets is reported if others can read it', async () => {
  const file = `${here.directory}/.env`
  writeFileSync(file, 'COUNTERSIGN_PORT=4001\n', { mode: 0o644 })
  expect((await examine(0, {}, here.runProcess)).row('environment files')).toBeUndefined()
  writeFileSync(file, 'COUNTERSIGN_JWT_KEYS=k1:canary\n')
  const { row } = await examine(1, {}, here.runProcess)
  const detail = 'others can read .env (mode 644); `chmod 600 FILE`'
  expect(row('environment files')).toEqual({ check: 'environment files', status: 'failed', detail })
})

test('missing keys are reported, and not created', async () => {
  withoutDatabase()
  const { row } = await examine(1, { COUNTERSIGN_JWT_KEYS: undefined }, here.runProcess)
  expect(row('keys')).toMatchObject({ status: 'not_configured' })
  expect(row('receipts')).toMatchObject({ status: 'not_configured', detail: expect.stringContaining('under .countersign/') })
  expect(existsSync(`${here.directory}/.countersign`)).toBe(false)
})

test('all problems of a configuration are reported, without a secret or a stack trace', async () => {
  const { rows, row, stdout } = await examine(1, {
    COUNTERSIGN_DATABASE_URL: 'postgres://ada:canary-password@127.0.0.1:1/none?options=canary-option',
    COUNTERSIGN_JWT_KEYS: 'k1:canary-key',
    COUNTERSIGN_RECEIPT_KEYS: 'Ed25519:canary-key',
    COUNTERSIGN_PUSH: 'pigeon',
    COUNTERSIGN_PORT: 'canary-port',
    COUNTERSIGN_LOG_LEVEL: 'loud',
    COUNTERSIGN_PARTS: 'canary-part',
    COUNTERSIGN_GATES: 'project.approve:canary-type',
    COUNTERSIGN_RATE_LIMIT_CONFIRMATION: '1/2/canary',
    COUNTERSIGN_METRICS_PORT: 'canary-port',
    COUNTERSIGN_REDIS_URL: 'redis://:canary-redis@127.0.0.1:1',
    COUNTERSIGN_SMTP_URL: 'smtp://:/canary-smtp@127.0.0.1:1',
  })
  expect(rows.map(({ check, status }) => [check, status])).toEqual([
    ['node', 'ok'],
    ['environment', 'warning'],
    ['configuration', 'failed'],
    ['parts', 'failed'],
    ['database', 'failed'],
    ['schema version', 'failed'],
    ['keys', 'failed'],
    ['receipts', 'failed'],
    ['password hashes', 'ok'],
    ['cache', 'failed'],
    ['push', 'failed'],
    ['mail', 'failed'],
    ['rate limits', 'failed'],
    ['enrolment', 'ok'],
    ['gates', 'failed'],
    ['retention', 'ok'],
    ['metrics', 'failed'],
  ])
  expect(row('configuration')?.detail).toMatch(/COUNTERSIGN_PORT: must be .*; COUNTERSIGN_LOG_LEVEL: must be /)
  expect(row('database')?.detail).toContain('postgres://127.0.0.1:1/none')
  expect(stdout).not.toContain('canary')
})

test('the row of Web Push names the contact, and warns if push endpoints on every host are allowed', async () => {
  const env = {
    COUNTERSIGN_PUSH: 'log,webpush',
    ...((await here.json(['keys', 'generate', '--vapid'])) as Record<string, string>),
    COUNTERSIGN_VAPID_SUBJECT: 'mailto:security@example.com',
  }
  expect((await examine(0, env)).row('push')).toMatchObject({
    status: 'ok',
    detail: 'log: messages are only logged; webpush: push services reach you at mailto:security@example.com',
  })
  const open = await examine(0, { ...env, COUNTERSIGN_WEBPUSH_HOSTS: '*' })
  expect(open.row('push')).toMatchObject({ status: 'warning', detail: expect.stringContaining('any host on the internet') })
  const other = (await here.json(['keys', 'generate', '--vapid'])) as Record<string, string>
  const unpaired = { COUNTERSIGN_VAPID_PUBLIC_KEY: other.COUNTERSIGN_VAPID_PUBLIC_KEY }
  expect((await examine(1, { ...env, ...unpaired })).row('push')).toMatchObject({
    status: 'failed',
    detail: 'COUNTERSIGN_VAPID_PUBLIC_KEY: must be the public key of COUNTERSIGN_VAPID_PRIVATE_KEY',
  })
})

test('a secrets file is reported if others can read it, even if its keys are not in use', async () => {
  const listed = await here.runProcess(['user', 'list'], { env: { COUNTERSIGN_JWT_KEYS: undefined } })
  expect(listed).toMatchObject({ code: 0, stderr: '' })
  await examine(0, {}, here.runProcess)
  chmodSync(`${here.directory}/.countersign/secrets.env`, 0o644)
  for (const env of [{}, { COUNTERSIGN_JWT_KEYS: undefined }]) {
    const { row } = await examine(1, env, here.runProcess)
    const detail = '.countersign/secrets.env: others can read it (mode 644); `chmod 600 .countersign/secrets.env`'
    expect(row('keys')).toEqual({ check: 'keys', status: 'failed', detail })
  }
})

describe('a demo user', () => {
  const seeded = async () => {
    const { countersign, close } = await openCore(here)
    await countersign.users.create(demoUser)
    await close()
  }

  test('is reported in production and if other machines can reach the service, until the demo user is disabled', async () => {
    await seeded()
    await examine(0)
    const inProduction = await examine(1, production)
    expect(inProduction.row('demo user')?.detail).toMatch(/^demo@countersign\.example is in the database; .*user disable/)
    const open = { COUNTERSIGN_HOST: '0.0.0.0', NODE_ENV: 'development' }
    const reachable = await examine(1, open)
    expect(reachable.row('demo user')?.detail).toMatch(/^whoever reaches 0\.0\.0\.0 can log in as demo@countersign\.example/)
    expect(reachable.stdout).not.toContain(demoUser.password)
    await here.json(['user', 'disable', demoUser.email])
    await examine(0, production)
    await examine(0, open)
  })
})

test('an email in the spelling of an older version is reported until it is changed or its user is deleted', async () => {
  const { countersign, close } = await openCore(here)
  for (const email of ['ada@old.example', 'bob@old.example', 'ada@münchen.example', 'zoë@example.test']) {
    await countersign.users.create({ email })
  }
  await close()
  const database = new DatabaseSync((here.env.COUNTERSIGN_DATABASE_URL ?? '').slice('sqlite:'.length))
  const spell = database.prepare('update countersign_users set email = ? where email = ?')
  spell.run('ada@xn--mnchen-3ya.example', 'ada@old.example')
  spell.run('οδυσσευς@example.test', 'bob@old.example')
  database.close()

  const { row } = await examine(1)
  expect(row('emails')?.detail).toContain(
    'user 1 has ada@xn--mnchen-3ya.example, and ada@münchen.example is of user 3; ' +
      'user 2 has οδυσσευς@example.test, and οδυσσευσ@example.test is free; ',
  )
  await here.json(['user', 'delete', 'ada@xn--mnchen-3ya.example', '--yes'])
  await here.json(['user', 'update', 'οδυσσευς@example.test', '--email', 'οδυσσευς@example.test'])
  expect((await examine(0)).row('emails')).toBeUndefined()
  expect(await here.json(['user', 'show', 'ΟΔΥΣΣΕΥΣ@example.test'])).toMatchObject({ id: 2 })
  expect(await here.json(['user', 'show', 'ada@xn--mnchen-3ya.example'])).toMatchObject({ id: 3 })
})

describe('receipt keys', () => {
  const [first, second] = [generateReceiptKeyRing(), generateReceiptKeyRing('ES256')]
  const kidOf = (ring: string) => parseReceiptKeyRing(ring).keys[0]?.kid ?? ''

  test('are listed, and doctor says that the first key that is neither retired nor revoked signs', async () => {
    const env = { COUNTERSIGN_RECEIPT_KEYS: `${first},${second}` }
    const before = await examine(0, env)
    expect(before.row('receipts')?.detail).toBe(`${kidOf(first)} signs (Ed25519)`)
    const { countersign, close } = await openCore({ env: { ...here.env, ...env } })
    await countersign.receipts.keys()
    await close()
    await here.json(['keys', 'retire', kidOf(first), '--yes'])
    const after = await examine(0, env)
    expect(after.row('receipts')?.detail).toBe(
      `${kidOf(second)} signs (ES256); retired or revoked, and needed no more: ${kidOf(first)}`,
    )
    await here.json(['keys', 'revoke', kidOf(second), '--reason', 'stolen', '--yes'])
    const { row, stdout } = await examine(1, env)
    expect(row('receipts')).toMatchObject({ status: 'failed', detail: expect.stringMatching(/^every key is retired or revoked/) })
    for (const ring of [first, second]) expect(stdout).not.toContain(ring.split(':')[1])
  })
})

describe('keys of stored fields', () => {
  const ring = (kid: string, byte: string) => `${kid}:${createHash('sha256').update(byte).digest('base64url')}`
  const [first, second, third] = [ring('first', '1'), ring('second', '2'), ring('third', '3')]
  const withKeys = (...keys: readonly string[]) => ({ COUNTERSIGN_ENCRYPTION_KEYS: keys.join(',') })

  /**
   * Stores ten fields of a user, a registered device and a rejected confirmation, encrypted with the first of these keys.
   * The first call stores the secret of digests too.
   */
  const seal = async (...keys: readonly string[]) => {
    const opened = await openCore({ env: { ...here.env, ...withKeys(...keys) } })
    const { user, caller } = await signInNewUser(opened)
    await opened.countersign.auth.login({ email: user.email, password: testPassword, userAgent: 'canary-user-agent' })
    await registerTestDevice(opened, caller, { pushToken: 'canary-push-token' })
    const { confirmations } = opened.countersign
    const input = { caller, actionType: 'password_change', actionPayload: { userId: 1 }, numberMatching: true } as const
    const { id: confirmationId } = await confirmations.initiate(input)
    await confirmations.reject({ caller, confirmationId, reason: 'canary-reason' })
    await opened.close()
  }

  /** Stores what a redeemed approval and a request for several approvals add. */
  const sealApprovals = async (key: string) => {
    const opened = await openCore({
      env: {
        ...here.env,
        ...withKeys(key),
        COUNTERSIGN_RECEIPT_KEYS: generateReceiptKeyRing(),
        COUNTERSIGN_APPROVAL_POLICIES: 'payment_approval:payment.approve:1',
        COUNTERSIGN_ORIGINS: 'http://localhost:4000',
      },
    })
    const { countersign } = opened
    const { virtual } = await signInNewPasskeyUser(opened)
    const { caller: ofPasskey } = await signInByPasskey(opened, virtual)
    await countersign.devices.setPushToken({ caller: ofPasskey, pushToken: 'canary-passkey-token' })
    const user = await signInNewDeviceUser(opened)
    const action = { actionType: 'payment_approval', actionPayload: validPayloads.payment_approval } as const
    const { id: confirmationId, challenge } = await countersign.confirmations.initiate({ ...action, caller: user.web.caller })
    const approval = { confirmationId, deviceId: user.device.id, signedChallenge: user.signer.sign(challenge) }
    await countersign.confirmations.approve({ ...approval, caller: user.mobile.caller })
    const service = { name: 'billing', scopes: ['confirmation.redeem:payment_approval'] }
    const redemption = { ...action, confirmationId, userId: user.user.id, service, idempotencyKey: 'invoice-1' }
    await countersign.services.redeem(redemption)
    await registerTestDevice(opened, (await signInNewUser(opened, { permissions: ['payment.approve'] })).caller)
    await countersign.approvalRequests.start({ ...action, caller: user.web.caller })
    await countersign.devices.beginRegistration({ caller: user.web.caller, ...anAnnouncement(createTestDevice('ES256')) })
    await opened.close()
  }

  test('are accepted if they decrypt every field; older keys that no field needs are listed', async () => {
    await seal(first)
    const { row } = await examine(0, withKeys(second, first))
    expect(row('keys')?.detail).toMatch(/fields: second and 1 older \(12 of first\)$/)
    const unused = await examine(0, withKeys(first, second, third))
    expect(unused.row('keys')?.detail).toMatch(
      /fields: first and 2 older \(12 of first\); no stored field needs second, third any more$/,
    )
    expect(unused.stdout).not.toContain('canary')
  })

  test('are reported if a key is missing, or has another secret under the same id', async () => {
    await seal(first)
    await seal(second)
    const { row } = await examine(1, withKeys(third, second))
    expect(row('keys')?.detail).toBe(
      '12 stored fields cannot be opened: the key first is not in COUNTERSIGN_ENCRYPTION_KEYS; ' +
        'put the lost key back from a backup of the variable, behind the first key',
    )
    const other = await examine(1, withKeys(ring('first', 'another'), second))
    expect(other.row('keys')?.detail).toBe(
      '12 stored fields of key first cannot be opened: its secret is another, or they were changed; ' +
        'put the lost key back from a backup of the variable, behind the first key',
    )
    // Without configured keys, the next start would create new keys, which decrypt nothing.
    const none = await examine(1, { COUNTERSIGN_ENCRYPTION_KEYS: undefined }, here.runProcess)
    expect(none.row('keys')?.detail).toMatch(/^12 stored fields cannot be opened: the key first .*; 11 .* the key second /)
  })

  test('are checked against every column with encrypted fields', async () => {
    await seal(first)
    await sealApprovals(first)
    const database = new DatabaseSync((here.env.COUNTERSIGN_DATABASE_URL ?? '').slice('sqlite:'.length), { readOnly: true })
    onTestFinished(() => database.close())
    const tables = database.prepare("select name from sqlite_master where type = 'table' and sql not like '%virtual%'").all()
    const sealed = tables.flatMap(({ name }) =>
      database
        .prepare(`select * from "${name}"`)
        .all()
        .flatMap(Object.entries)
        .filter(([, value]) => typeof value === 'string' && value.includes('v1.first.'))
        .map(([column]) => `${String(name).replace('countersign_', '')}.${column}`),
    )
    const known = Object.entries(sealedColumns).flatMap(([table, columns]) => columns.map((column) => `${table}.${column}`))
    expect([...new Set(sealed)].sort()).toEqual(known.sort())
  })
})

describeWithRedisServers('a Redis that counts', () => {
  test('is named by its address, without its password', async () => {
    const redis = await startRedis({ settings: ['--requirepass', 'canary-password'] })
    try {
      const { row, stdout } = await examine(0, { COUNTERSIGN_REDIS_URL: `redis://:canary-password@127.0.0.1:${redis.port}` })
      expect(row('cache')).toMatchObject({ status: 'ok', detail: `rate limits are counted in ${redis.url}` })
      expect(stdout).not.toContain('canary')
    } finally {
      await redis.remove()
    }
  })
})

test('a mail server that takes connections is named without its password, with the page to which mails link', async () => {
  const mailServer = await startMailServer({
    disabledCommands: ['STARTTLS'],
    onAuth: (_, __, done) => done(null, { user: 'ada' }),
  })
  onTestFinished(mailServer.close)
  const address = `127.0.0.1:${mailServer.port}`
  const env = {
    COUNTERSIGN_SMTP_URL: `smtp://ada:canary-password@${address}`,
    COUNTERSIGN_SMTP_FROM: 'no-reply@example.com',
    COUNTERSIGN_ORIGINS: 'https://auth.example.com',
  }
  const sent = `smtp://${address} takes mails from no-reply@example.com`
  const { row, stdout } = await examine(0, env)
  expect(row('mail')).toMatchObject({
    status: 'ok',
    detail: `${sent}; they link to https://auth.example.com/approve/#/password/`,
  })
  expect(stdout).not.toContain('canary')
  const withoutPage = await examine(0, { ...env, COUNTERSIGN_APPROVER: 'off' })
  expect(withoutPage.row('mail')).toMatchObject({ status: 'warning', detail: expect.stringContaining('a code and no link') })
})

test('people see a table, with the same exit code', async () => {
  withoutDatabase()
  // A short path, because the path of a test directory can be wider than its column.
  const env = { ...here.env, COUNTERSIGN_DATABASE_URL: 'sqlite:countersign.db' }
  const { code, shown } = await runAsPerson({ ...here, env }, ['doctor'])
  expect(code).toBe(1)
  expect(shown).toMatch(/│ database +│ failed +│/)
  for (const line of shown.split('\n')) expect(line.length).toBeLessThanOrEqual(80)
})

test('a service token is reported while no user belongs to its tenants', async () => {
  const tokenOf = (...tenants: string[]) =>
    here.json(['service-token', 'issue', '--service', 'shop', ...tenants.flatMap((tenant) => ['--tenant', tenant])])
  const { countersign, close } = await openCore(here)
  await countersign.users.create({ email: 'ada@example.test', permissions: ['*.*', 'a.b@acme.eu', 'a.b@Acme'] })
  await close()
  await tokenOf()
  await tokenOf('other', 'acme.eu')
  expect((await examine(0)).row('service tokens')).toBeUndefined()
  await tokenOf('acme', 'cme.eu')
  const { row } = await examine(0)
  expect(row('service tokens')).toMatchObject({ status: 'warning', detail: expect.stringContaining('of shop (acme, cme.eu)') })
  await here.json(['user', 'grant', 'ada@example.test', 'tenant.member@acme'])
  expect((await examine(0)).row('service tokens')).toBeUndefined()
})
