import { createCountersign, parseKeyRing } from '@countersign/core'
import { openPostgres } from '@countersign/storage-postgres'
import { openSqlite } from '@countersign/storage-sqlite'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createPostgresDatabase } from '../../../../tools/testing/create-postgres-database.ts'
import { createWorkplace, type Workplace } from '../testing/run-command.ts'

const twoParts = ['identity', 'approvals'] as const
const user = { email: 'ada@example.com', password: 'correct horse battery' }
const databaseIn = ({ env }: Workplace) => (env.COUNTERSIGN_DATABASE_URL ?? '').slice('sqlite:'.length)

const keysOf = ({ env }: Workplace) => ({
  jwtKeys: parseKeyRing(env.COUNTERSIGN_JWT_KEYS ?? ''),
  encryptionKeys: parseKeyRing(env.COUNTERSIGN_ENCRYPTION_KEYS ?? '', { exactly: true }),
})

describe('the database of a host with two parts', () => {
  const here = createWorkplace()
  afterAll(() => here.remove())
  beforeAll(async () => {
    const storage = await openSqlite({ path: databaseIn(here), parts: twoParts })
    await storage.migrate()
    await createCountersign({ storage, parts: twoParts, ...keysOf(here) }).users.create(user)
    await storage.close()
  })

  test('every command works on it, and migrate and doctor find nothing missing', async () => {
    expect(await here.json(['user', 'list'])).toMatchObject([{ email: user.email }])
    expect(await here.json(['user', 'export', user.email])).toMatchObject({ user: { email: user.email } })
    expect(await here.json(['session', 'list'])).toEqual([])
    expect(await here.json(['action', 'list'])).toMatchObject({ actionTypes: [] })
    await here.json(['sweep'])
    expect(await here.json(['migrate'])).toEqual({ applied: [] })
    expect(await here.json(['migrate', '--status'])).toEqual({ applied: ['0001-identity', '0001-approvals'], pending: [] })
    const rows = (await here.run(['doctor', '--json'])).stdout
    expect(JSON.parse(rows)).toContainEqual({ check: 'parts', status: 'ok', detail: 'identity, approvals' })
    expect(JSON.parse(rows)).toContainEqual({ check: 'schema version', status: 'ok', detail: '0001-identity, 0001-approvals' })
  })

  test.each([[['project', 'list']], [['customer', 'list']], [['schema', 'list']], [['project', 'show', 'PRJ-2026-000001']]])(
    '%j says that the part projects is missing',
    async (args) => {
      const line = 'error: the database has no tables of the part projects; `countersign migrate --part projects` makes them\n'
      expect(await here.run(args)).toEqual({ code: 1, stdout: '', stderr: line })
    },
  )

  test('is moved with its two parts', async () => {
    const target = createWorkplace()
    const { COUNTERSIGN_DATABASE_URL: from = '' } = here.env
    const { COUNTERSIGN_DATABASE_URL: to = '' } = target.env
    await here.json(['migrate-data', '--from', from, '--to', to])
    expect(await target.json(['migrate', '--status'])).toMatchObject({
      applied: ['0001-identity', '0001-approvals'],
      pending: [],
    })
    target.remove()
  })

  test('gets the tables of a further part if the command names the part, and keeps its rows', async () => {
    expect(await here.json(['migrate', '--part', 'projects', '--status'])).toMatchObject({ pending: ['0001-projects'] })
    expect(await here.json(['migrate', '--part', 'projects'])).toEqual({ applied: ['0001-projects'] })
    expect(await here.json(['customer', 'list'])).toEqual([])
    expect(await here.json(['user', 'list'])).toMatchObject([{ email: user.email }])
    const env = { COUNTERSIGN_PARTS: 'identity,approvals' }
    expect(await here.json(['customer', 'list'], { env })).toEqual([])
    expect(await here.json(['migrate'], { env })).toEqual({ applied: [] })
  })
})

describe('an empty database', () => {
  test.each([
    ['all parts', [], {}, ['0001-identity', '0001-approvals', '0001-projects']],
    ['the parts of --part', ['--part', 'approvals'], {}, ['0001-identity', '0001-approvals']],
    ['the parts of the variable', [], { COUNTERSIGN_PARTS: 'identity' }, ['0001-identity', '0001-approvals']],
    [
      'the parts of --part',
      ['--part', 'projects'],
      { COUNTERSIGN_PARTS: 'identity' },
      ['0001-identity', '0001-approvals', '0001-projects'],
    ],
  ])('gets the tables of %s: %j %j', async (_what, args, env, applied) => {
    const here = createWorkplace()
    expect(await here.json(['migrate', ...args], { env })).toEqual({ applied })
    here.remove()
  })

  test('a part that does not exist is wrong usage', async () => {
    const here = createWorkplace()
    const { code, stderr } = await here.run(['migrate', '--part', 'orders'])
    expect([code, stderr]).toEqual([2, expect.stringContaining('identity, approvals, projects')])
    here.remove()
  })
})

describe('the database of a host with a schema of its own', async () => {
  const database = await createPostgresDatabase()
  const here = createWorkplace({ COUNTERSIGN_DATABASE_URL: database.url })
  const env = { COUNTERSIGN_DATABASE_SCHEMA: 'auth' }
  beforeAll(async () => {
    const storage = await openPostgres({ url: database.url, schema: 'auth', parts: twoParts })
    await storage.migrate()
    await createCountersign({ storage, parts: twoParts, ...keysOf(here) }).users.create(user)
    await storage.close()
  })
  afterAll(async () => {
    here.remove()
    await database.drop()
  })

  test('COUNTERSIGN_DATABASE_SCHEMA makes every command work on it', async () => {
    expect(await here.json(['user', 'list'], { env })).toMatchObject([{ email: user.email }])
    expect(await here.json(['migrate'], { env })).toEqual({ applied: [] })
    expect(await here.json(['doctor'], { env })).toContainEqual({ check: 'parts', status: 'ok', detail: 'identity, approvals' })
  })

  test('without the setting, no command makes a second installation, and each names the schema of the first', async () => {
    const line =
      'the database has an installation in another schema (auth): COUNTERSIGN_DATABASE_SCHEMA=auth works on it; ' +
      '`countersign migrate --new-installation` makes another one'
    for (const args of [['migrate'], ['user', 'list'], ['migrate', '--part', 'projects'], ['serve', '--port', '0']])
      expect(await here.run(args)).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining(`error: ${line}\n`) })
    const { stdout } = await here.run(['doctor', '--json'])
    expect(JSON.parse(stdout)).toContainEqual({ check: 'schema version', status: 'failed', detail: line })
    expect(await database.query(`select from pg_namespace where nspname = 'countersign'`)).toEqual([])
  })

  test('a second installation is made if the operator names its schema, and later commands use it', async () => {
    expect(await here.json(['migrate', '--new-installation', '--part', 'identity'])).toEqual({
      applied: ['0001-identity', '0001-approvals'],
    })
    expect(await here.json(['user', 'list'])).toEqual([])
    expect(await here.json(['user', 'list'], { env })).toMatchObject([{ email: user.email }])
  })

  test('a schema whose name PostgreSQL would not take is refused', async () => {
    const { code, stderr } = await here.run(['migrate'], { env: { COUNTERSIGN_DATABASE_SCHEMA: 'Auth' } })
    expect([code, stderr]).toEqual([
      1,
      expect.stringContaining('COUNTERSIGN_DATABASE_SCHEMA: must be at most 40 lower-case letters'),
    ])
  })
})
