import { cpSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { generateKeyRing, systemRandom } from '@countersign/core'
import { betterAuth } from 'better-auth'
import { getMigrations } from 'better-auth/db/migration'
import Sqlite from 'better-sqlite3'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { capture } from '../tools/capture.ts'
import { blocksOfTest } from '../tools/docs/page.ts'
import { cleanEnvironment, createApp, installPackages } from '../tools/docs/testing/stage.ts'
import { createPostgresDatabase } from '../tools/testing/create-postgres-database.ts'
import { openPool } from '../tools/testing/open-pool.ts'

/** Returns the text of the block that has these words. */
const blockWith = (words: string): string =>
  blocksOfTest(import.meta.filename).find(({ text }) => text.includes(words))?.text ?? ''

/** Takes the place of Keycloak: writes an export of the real shape to the folder that the options name. */
const keycloak = `#!/bin/sh
test "$*" = "export --dir export --realm acme --users different_files --users-per-file 1000"
mkdir export && cp keycloak-users-0.json export/acme-users-0.json
`

const directory = createApp()

/** Runs commands in the folder with the recipes and the samples, on a database of this name. Resolves with the output. */
const run = async (database: string, commands: string): Promise<string> => {
  const env = {
    ...cleanEnvironment(),
    COUNTERSIGN_DATABASE_URL: `sqlite:${join(directory, database)}`,
    COUNTERSIGN_JWT_KEYS: generateKeyRing(systemRandom),
    COUNTERSIGN_ENCRYPTION_KEYS: generateKeyRing(systemRandom),
    PATH: [join(directory, 'node_modules', '.bin'), dirname(process.execPath), process.env.PATH].join(delimiter),
  }
  const { ok, output } = await capture('sh', ['-ec', commands], directory, env)
  expect(ok, output).toBe(true)
  return output
}

beforeAll(async () => {
  installPackages(directory, [])
  const recipes = join(import.meta.dirname, 'import-users')
  for (const folder of [recipes, join(recipes, 'samples')]) cpSync(folder, directory, { recursive: true })
  writeFileSync(join(directory, 'node_modules', '.bin', 'kc.sh'), keycloak, { mode: 0o755 })
  await run('migrated.db', 'countersign migrate')
})

/** Runs the block of a recipe, with these samples by their new names, on a new database. Resolves with the output. */
const follow = (recipe: string, samples: Readonly<Record<string, string>> = {}): Promise<string> => {
  const copied = { [`${recipe}.db`]: 'migrated.db', ...samples }
  for (const [name, sample] of Object.entries(copied)) cpSync(join(directory, sample), join(directory, name))
  return run(`${recipe}.db`, blockWith(recipe))
}

test.each([
  ['auth0.ts', { 'password-hashes.ndjson': 'auth0-hashes.ndjson', 'users-export.ndjson': 'auth0-users.ndjson' }, 2],
  ['firebase.ts', { 'users.json': 'firebase-users.json', 'hash-config.txt': 'firebase-hash-config.txt' }, 2],
  ['keycloak.ts', {}, 3],
] as const)('the recipe %s imports the users of an export', async (recipe, samples, count) => {
  expect(await follow(recipe, samples)).toContain(`Created ${count}, updated 0`)
})

/** Registers a user with better-auth itself, in a database of its own. */
const register = async (name: string, database: NonNullable<Parameters<typeof betterAuth>[0]['database']>): Promise<void> => {
  const settings = { secret: 'only for this test, and long enough', baseURL: 'http://localhost', telemetry: { enabled: false } }
  const auth = betterAuth({ ...settings, database, emailAndPassword: { enabled: true }, logger: { disabled: true } })
  await (await getMigrations(auth.options)).runMigrations()
  await auth.api.signUpEmail({ body: { email: `${name}@example.com`, name, password: 'correct horse battery staple' } })
}

test('the recipe for better-auth imports registrations from SQLite and from PostgreSQL', async () => {
  const sqlite = new Sqlite(':memory:')
  const postgres = await createPostgresDatabase()
  onTestFinished(() => {
    sqlite.close()
    return postgres.drop()
  })
  await register('ada', sqlite)
  await register('grace', openPool({ connectionString: postgres.url }))
  // psql prints JSON as text.
  const rows = await postgres.query(`select json_build_object::text as row from (${blockWith('json_build')}) as rows`)
  const all = [sqlite.prepare(blockWith('select json_object')).pluck().get(), ...rows.map((one) => (one as { row: string }).row)]
  writeFileSync(join(directory, 'rows.ndjson'), all.join('\n'))
  expect(await follow('better-auth.ts')).toContain('Created 2, updated 0')
})
