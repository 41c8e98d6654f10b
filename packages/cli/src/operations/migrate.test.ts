import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { openCore } from '../testing/open-core.ts'
import { workplaceOfFile } from '../testing/workplace-of-file.ts'

interface Status {
  readonly applied: readonly string[]
  readonly pending: readonly string[]
}

const here = workplaceOfFile()

test('pending migrations are listed, applied once, and then listed as applied', async () => {
  const before = (await here.json(['migrate', '--status'])) as Status
  expect(before.applied).toEqual([])
  expect(before.pending.length).toBeGreaterThan(0)

  expect(await here.json(['migrate'])).toEqual({ applied: before.pending })
  expect(await here.json(['migrate'])).toEqual({ applied: [] })
  expect(await here.json(['migrate', '--status'])).toEqual({ applied: before.pending, pending: [] })
})

test('people and other programs get the same content as lines', async () => {
  const { stdout } = await here.run(['migrate', '--status'])
  expect(stdout).toMatch(/^migration\tstate\n/)
  expect(stdout).toMatch(/^0001-\S+\tapplied$/m)
})

test('two emails that would have the same spelling today are reported and not changed', async () => {
  const { countersign, close } = await openCore(here)
  for (const email of ['ada@old.example', 'ada@münchen.example']) await countersign.users.create({ email })
  await close()
  const file = new DatabaseSync(join(here.directory, 'countersign.db'))
  file.exec(`update countersign_users set email = 'ada@xn--mnchen-3ya.example' where email = 'ada@old.example'`)
  file.close()
  const { stderr, stdout } = await here.run(['migrate', '--json'])
  expect(stderr).toContain('user 1 has ada@xn--mnchen-3ya.example, and ada@münchen.example is of user 2')
  expect(JSON.parse(stdout)).toEqual({ applied: [] })
  expect((await here.run(['user', 'list'])).stdout).toContain('ada@xn--mnchen-3ya.example')
  await here.json(['user', 'delete', 'ada@xn--mnchen-3ya.example', '--yes'])
})

test('migrations of a newer version are listed, and the command succeeds', async () => {
  const { applied } = (await here.json(['migrate', '--status'])) as Status
  const file = new DatabaseSync(join(here.directory, 'countersign.db'))
  file.exec(
    `insert into countersign_migrations_identity (name, timestamp) values ('9999-of-a-newer-version', '2030-01-01T00:00:00.000Z')`,
  )
  file.close()
  expect(await here.json(['migrate', '--status'])).toEqual({ applied, pending: [], newer: ['9999-of-a-newer-version'] })
  expect((await here.run(['migrate', '--status'])).stdout).toMatch(/^9999-of-a-newer-version\tof a newer version$/m)
  expect(await here.json(['doctor'])).toContainEqual({
    check: 'schema version',
    status: 'ok',
    detail: `${applied.join(', ')}; a newer version has also applied 9999-of-a-newer-version`,
  })
})

test('migrate and doctor refuse a database of a version before the first release, with a sentence', async () => {
  const url = `sqlite:${join(here.directory, 'unreleased.db')}`
  const file = new DatabaseSync(url.slice('sqlite:'.length))
  file.exec(`create table countersign_users (id integer); create table countersign_kysely_migration (name text);
    insert into countersign_kysely_migration values ('0001-identity'), ('0002-approvals')`)
  file.close()
  const why =
    'it was made before the first release by another version: nothing carries over; ' +
    'delete the folder `.countersign` (or make an empty database), or stay on that version'
  const env = { COUNTERSIGN_DATABASE_URL: url }
  for (const command of [['migrate'], ['migrate', '--status']]) {
    const { code, stderr } = await here.run(command, { env })
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining(why) })
  }
  const { stdout } = await here.run(['doctor', '--json'], { env })
  expect(JSON.parse(stdout)).toContainEqual({ check: 'schema version', status: 'failed', detail: why })
})

test('the migrations are applied although serve would refuse settings, and each of these settings is named', async () => {
  const env = { NODE_ENV: 'production', COUNTERSIGN_JWT_KEYS: undefined, COUNTERSIGN_PORT: 'canary', COUNTERSIGN_RECEIPTS: 'on' }
  const { code, stdout, stderr } = await here.run(['migrate', '--json'], { env })
  expect({ code, stdout }).toEqual({ code: 0, stdout: '{"applied":[]}\n' })
  expect(stderr.trimEnd().split('\n').sort()).toEqual([
    expect.stringMatching(/^warning: serve refuses COUNTERSIGN_JWT_KEYS: must be set in production; /),
    'warning: serve refuses COUNTERSIGN_PORT: must be a whole number from 0 to 65535',
    expect.stringMatching(/^warning: serve refuses COUNTERSIGN_RECEIPT_KEYS: must be set in production; /),
  ])
})

test('migrate is refused in production if no database URL is set', async () => {
  const env = { NODE_ENV: 'production', COUNTERSIGN_DATABASE_URL: undefined }
  expect(await here.run(['migrate'], { env })).toEqual({
    code: 1,
    stdout: '',
    stderr: 'error: COUNTERSIGN_DATABASE_URL: must be set in production\n',
  })
})
