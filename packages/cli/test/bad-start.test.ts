import { chmodSync, existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { workplaceOfFile } from '../src/testing/workplace-of-file.ts'

const here = workplaceOfFile()

/**
 * Returns a folder in which this user cannot create files. Root can create files everywhere except in folders of the kernel.
 */
const closedFolder = (): string => {
  if (process.getuid?.() === 0 && process.platform === 'linux') return '/proc'
  const folder = join(here.directory, 'closed')
  mkdirSync(folder)
  chmodSync(folder, 0o500)
  return folder
}

const garbageFile = (): string => {
  const file = join(here.directory, 'garbage.db')
  writeFileSync(file, 'This is no database. '.repeat(1000))
  return file
}

const cutOffFile = (): string => {
  const file = join(here.directory, 'cut-off.db')
  writeFileSync(file, 'SQLite format 3\0'.padEnd(60, '\x10'))
  return file
}

const cannotBeOpened = /^error: the database [^\n]+ cannot be opened: [^\n]+ \([A-Z_]+\)\n$/

test.each([
  ['a directory', () => `sqlite:${here.directory}`, cannotBeOpened],
  ['a file that is no database', () => `sqlite:${garbageFile()}`, cannotBeOpened],
  ['a truncated database', () => `sqlite:${cutOffFile()}`, cannotBeOpened],
  ['a file below a file', () => 'sqlite:/dev/null/countersign.db', cannotBeOpened],
  ['a file in a folder without write permission', () => `sqlite:${closedFolder()}/countersign.db`, cannotBeOpened],
  ['a PostgreSQL server that does not run', () => 'postgres://ada:secret@127.0.0.1:1/none', cannotBeOpened],
  ['an unknown kind of URL', () => 'mysql://ada:secret@localhost/x', /^error: COUNTERSIGN_DATABASE_URL: must be [^\n]+\n$/],
  ['a text that is no URL', () => 'countersign.db', /^error: COUNTERSIGN_DATABASE_URL: must be [^\n]+\n$/],
])('a server does not start on %s for a database: one line, and exit code 1', async (_what, url, line) => {
  const ran = await here.runProcess(['serve', '--port', '0'], { env: { COUNTERSIGN_DATABASE_URL: url() } })
  expect(ran).toEqual({ code: 1, stdout: '', stderr: expect.stringMatching(line) })
  expect(ran.stderr).not.toContain('secret')
})

test('a server does not start on a bad configuration: one line for each bad variable, and exit code 1', async () => {
  const env = {
    COUNTERSIGN_RATE_LIMITS: 'sometimes',
    COUNTERSIGN_TRUST_PROXY: '-1',
    COUNTERSIGN_REFRESH_LEEWAY_SECONDS: '31',
    COUNTERSIGN_PUSH: 'pigeon',
    COUNTERSIGN_ORIGINS: 'example.com',
    COUNTERSIGN_ENCRYPTION_KEYS: 'k1:c2VjcmV0',
  }
  const { code, stdout, stderr } = await here.runProcess(['serve', '--port', '0'], { env })
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
  const lines = stderr.trimEnd().split('\n').sort()
  expect(lines).toEqual(
    Object.keys(env)
      .sort()
      .map((name) => expect.stringMatching(new RegExp(`^error: ${name}: must be `))),
  )
  expect(stderr).not.toMatch(/sometimes|pigeon|c2VjcmV0/)
})

test('a server does not start in production without its database and keys: exit code 1, and no files created', async () => {
  const env = {
    NODE_ENV: 'production',
    COUNTERSIGN_DATABASE_URL: undefined,
    COUNTERSIGN_JWT_KEYS: undefined,
    COUNTERSIGN_ENCRYPTION_KEYS: undefined,
  }
  const { code, stderr } = await here.runProcess(['serve', '--port', '0'], { env })
  expect(code).toBe(1)
  expect(stderr.trimEnd().split('\n').sort()).toEqual([
    'error: COUNTERSIGN_DATABASE_URL: must be set in production',
    expect.stringMatching(/^error: COUNTERSIGN_ENCRYPTION_KEYS: /),
    expect.stringMatching(/^error: COUNTERSIGN_JWT_KEYS: /),
  ])
  for (const made of ['.countersign', 'countersign.db']) expect(existsSync(join(here.directory, made))).toBe(false)
})
