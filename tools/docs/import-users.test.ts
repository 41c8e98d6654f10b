import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { generateKeyRing, systemRandom } from '@countersign/core'
import { betterAuth } from 'better-auth'
import { getMigrations } from 'better-auth/db/migration'
import Sqlite from 'better-sqlite3'
import { expect, onTestFinished, test } from 'vitest'
import { capture } from '../capture.ts'
import { openPool } from '../testing/open-pool.ts'
import { startPostgres } from '../testing/start-postgres.ts'
import { repository } from '../workspace.ts'
import { blocksOfTest } from './page.ts'
import { cleanEnvironment, installPackages } from './stage.ts'

/** Returns the text of the block that has these words. */
const blockWith = (words: string): string =>
  blocksOfTest(import.meta.filename).find(({ text }) => text.includes(words))?.text ?? ''

/** Stands in for Keycloak: writes an export of the real shape where the options say. */
const keycloak = `#!/bin/sh
test "$*" = "export --dir export --realm acme --users different_files --users-per-file 1000"
mkdir export && cp keycloak-users-0.json export/acme-users-0.json
`

/** Runs the block of a recipe, in a folder with the recipes and with these samples by their new names. Returns the output. */
const run = async (recipe: string, samples: Readonly<Record<string, string>> = {}, rows = ''): Promise<string> => {
  const directory = mkdtempSync(join(tmpdir(), 'countersign-docs-import-'))
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }))
  installPackages(directory, [])
  const recipes = join(repository, 'examples', 'import-users')
  cpSync(recipes, directory, { recursive: true })
  cpSync(join(recipes, 'samples'), directory, { recursive: true })
  for (const [name, sample] of Object.entries(samples)) cpSync(join(directory, sample), join(directory, name))
  writeFileSync(join(directory, 'rows.ndjson'), rows)
  writeFileSync(join(directory, 'node_modules', '.bin', 'kc.sh'), keycloak, { mode: 0o755 })
  const env = {
    ...cleanEnvironment(),
    COUNTERSIGN_DATABASE_URL: `sqlite:${join(directory, 'countersign.db')}`,
    COUNTERSIGN_JWT_KEYS: generateKeyRing(systemRandom),
    COUNTERSIGN_ENCRYPTION_KEYS: generateKeyRing(systemRandom),
    PATH: [join(directory, 'node_modules', '.bin'), dirname(process.execPath), process.env.PATH].join(delimiter),
  }
  const { ok, output } = await capture('sh', ['-ec', `countersign migrate\n${blockWith(recipe)}`], directory, env)
  expect(ok, output).toBe(true)
  return output
}

test.each([
  ['auth0.ts', { 'password-hashes.ndjson': 'auth0-hashes.ndjson', 'users-export.ndjson': 'auth0-users.ndjson' }, 2],
  ['firebase.ts', { 'users.json': 'firebase-users.json', 'hash-config.txt': 'firebase-hash-config.txt' }, 2],
  ['keycloak.ts', {}, 3],
] as const)('the recipe %s imports the users of an export', async (recipe, samples, count) => {
  expect(await run(recipe, samples)).toContain(`Created ${count}, updated 0`)
})

/** Registers a user with better-auth itself, in a database of its own. */
const register = async (database: NonNullable<Parameters<typeof betterAuth>[0]['database']>): Promise<void> => {
  const settings = { secret: 'only for this test, and long enough', baseURL: 'http://localhost', telemetry: { enabled: false } }
  const auth = betterAuth({ ...settings, database, emailAndPassword: { enabled: true }, logger: { disabled: true } })
  await (await getMigrations(auth.options)).runMigrations()
  await auth.api.signUpEmail({ body: { email: 'ada@example.com', name: 'Ada', password: 'correct horse battery staple' } })
}

test('the recipe for better-auth imports registrations from SQLite and from PostgreSQL', async () => {
  const sqlite = new Sqlite(':memory:')
  onTestFinished(() => void sqlite.close())
  await register(sqlite)
  const row = sqlite.prepare(blockWith('select json_object')).pluck().get() as string
  expect(await run('better-auth.ts', {}, row)).toContain('Created 1, updated 0')
  const postgres = await startPostgres()
  onTestFinished(() => postgres.remove())
  const pool = openPool({ connectionString: postgres.url })
  await register(pool)
  // psql prints JSON as text.
  const { rows } = await pool.query<{ row: string }>(
    `select json_build_object::text as row from (${blockWith('json_build')}) as rows`,
  )
  expect(await run('better-auth.ts', {}, rows[0]?.row)).toContain('Created 1, updated 0')
})
