import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
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

test('migrations of a newer version are listed, and are no failure', async () => {
  const { applied } = (await here.json(['migrate', '--status'])) as Status
  const file = new DatabaseSync(join(here.directory, 'countersign.db'))
  file.exec(`insert into countersign_migrations_identity values ('9999-of-a-newer-version', '2030-01-01T00:00:00.000Z')`)
  file.close()
  expect(await here.json(['migrate', '--status'])).toEqual({ applied, pending: [], newer: ['9999-of-a-newer-version'] })
  expect((await here.run(['migrate', '--status'])).stdout).toMatch(/^9999-of-a-newer-version\tof a newer version$/m)
  expect(await here.json(['doctor'])).toContainEqual({
    check: 'schema version',
    status: 'ok',
    detail: `${applied.join(', ')}; a newer version has also applied 9999-of-a-newer-version`,
  })
})

test('every setting that serve refuses is named, and the migrations are applied all the same', async () => {
  const env = { NODE_ENV: 'production', COUNTERSIGN_JWT_KEYS: undefined, COUNTERSIGN_PORT: 'canary', COUNTERSIGN_RECEIPTS: 'on' }
  const { code, stdout, stderr } = await here.run(['migrate', '--json'], { env })
  expect({ code, stdout }).toEqual({ code: 0, stdout: '{"applied":[]}\n' })
  expect(stderr.trimEnd().split('\n').sort()).toEqual([
    expect.stringMatching(/^warning: serve refuses COUNTERSIGN_JWT_KEYS: must be set in production; /),
    'warning: serve refuses COUNTERSIGN_PORT: must be a whole number from 0 to 65535',
    expect.stringMatching(/^warning: serve refuses COUNTERSIGN_RECEIPT_KEYS: must be set in production; /),
  ])
})

test('production without the URL of a database is refused', async () => {
  const env = { NODE_ENV: 'production', COUNTERSIGN_DATABASE_URL: undefined }
  expect(await here.run(['migrate'], { env })).toEqual({
    code: 1,
    stdout: '',
    stderr: 'error: COUNTERSIGN_DATABASE_URL: must be set in production\n',
  })
})
