import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { generateKeyRing, silentLogger, systemRandom } from '@countersign/core'
import { type MountableCountersign, type OpenCountersign, openCountersign, readConfig } from '@countersign/server'
import { type BetterAuthOptions, betterAuth } from 'better-auth'
import { getMigrations } from 'better-auth/db/migration'
import Sqlite from 'better-sqlite3'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { capture } from '../capture.ts'
import { openPool } from '../testing/open-pool.ts'
import { startPostgres } from '../testing/start-postgres.ts'
import { repository } from '../workspace.ts'
import { blocksOfTest } from './blocks-of-test.ts'
import { installPackages } from './install-packages.ts'

const password = 'correct horse battery staple'
const blocks = blocksOfTest(import.meta.filename)
const recipes = join(repository, 'examples', 'import-users')

/** Stands in for Keycloak: writes an export of the real shape where the options say. */
const keycloak = `#!/bin/sh
test "$*" = "export --dir export --realm acme --users different_files --users-per-file 1000"
mkdir export && cp samples/keycloak-users-0.json export/acme-users-0.json
`

const home = mkdtempSync(join(tmpdir(), 'countersign-docs-import-'))
const env = {
  COUNTERSIGN_DATABASE_URL: `sqlite:${join(home, 'countersign.db')}`,
  COUNTERSIGN_JWT_KEYS: generateKeyRing(systemRandom),
  COUNTERSIGN_ENCRYPTION_KEYS: generateKeyRing(systemRandom),
  COUNTERSIGN_RATE_LIMITS: 'off',
}
let server: OpenCountersign<MountableCountersign>
beforeAll(async () => {
  server = await openCountersign(readConfig(env), { logger: silentLogger })
  await server.storage.migrate()
})
afterAll(async () => {
  await server.close()
  rmSync(home, { recursive: true, force: true })
})

/** Returns the text of the block that has these words. */
const blockWith = (language: string, words: string): string => {
  const found = blocks.filter((block) => block.language === language && block.text.includes(words))
  expect(found).toHaveLength(1)
  return found[0]?.text ?? ''
}

/** Creates a folder with the recipes and the command, and with copies of samples under the names of the page. */
const createFolder = (samples: Readonly<Record<string, string>> = {}): string => {
  const directory = mkdtempSync(join(home, 'recipe-'))
  installPackages(directory, [])
  mkdirSync(join(directory, 'samples'))
  for (const recipe of ['auth0.ts', 'better-auth.ts', 'firebase.ts', 'keycloak.ts', 'write-users.ts'])
    copyFileSync(join(recipes, recipe), join(directory, recipe))
  copyFileSync(join(recipes, 'samples', 'keycloak-users-0.json'), join(directory, 'samples', 'keycloak-users-0.json'))
  for (const [name, sample] of Object.entries(samples)) copyFileSync(join(recipes, 'samples', sample), join(directory, name))
  writeFileSync(join(directory, 'node_modules', '.bin', 'kc.sh'), keycloak, { mode: 0o755 })
  return directory
}

/** Runs a block of the page in a folder, and returns what the command printed. */
const run = async (directory: string, script: string): Promise<string> => {
  const path = [join(directory, 'node_modules', '.bin'), dirname(process.execPath), process.env.PATH ?? '']
  const { ok, output } = await capture('sh', ['-ec', script], directory, { ...env, PATH: path.join(delimiter) })
  expect(ok, output).toBe(true)
  return output
}

const logIn = (email: string, tried = password) => server.countersign.auth.login({ email, password: tried })
const stored = (email: string) => server.storage.users.byEmail(email)

/** Checks that the hash was imported as it was, that only the old password matches, and that the login raises the hash. */
const expectOldPassword = async (email: string, hash: RegExp, old = password) => {
  expect((await stored(email))?.passwordHash).toMatch(hash)
  await expect(logIn(email, `${old}.`)).rejects.toThrow('Invalid email or password')
  await logIn(email, old)
  expect((await stored(email))?.passwordHash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
  await logIn(email, old)
}

test('Auth0: the hashes, then the names', async () => {
  const directory = createFolder({ 'password-hashes.ndjson': 'auth0-hashes.ndjson', 'users-export.ndjson': 'auth0-users.ndjson' })
  const output = await run(directory, blockWith('sh', 'auth0.ts'))
  expect(output).toContain('Created 2, updated 0')
  expect(output).toContain('Created 0, updated 2')
  await expectOldPassword('ada@auth0.example.com', /^\$2b\$10\$/)
  await expectOldPassword('grace@auth0.example.com', /^\$2b\$10\$/, 'another horse')
  expect(await stored('grace@auth0.example.com')).toMatchObject({ name: 'Grace Hopper' })
  expect(await stored('blocked@auth0.example.com')).toBeUndefined()
})

test('Firebase: users with a password, of another provider, without an email, and disabled ones', async () => {
  const directory = createFolder({ 'users.json': 'firebase-users.json', 'hash-config.txt': 'firebase-hash-config.txt' })
  expect(await run(directory, blockWith('sh', 'firebase.ts'))).toContain('Created 2, updated 0')
  expect(await stored('ada@firebase.example.com')).toMatchObject({ name: 'Ada Lovelace' })
  expect(await stored('grace@firebase.example.com')).toMatchObject({ name: 'Grace Hopper', passwordHash: null })
  expect(await stored('disabled@firebase.example.com')).toBeUndefined()
  await expectOldPassword('ada@firebase.example.com', /^\$fbscrypt\$/)
})

test('Keycloak: argon2, and PBKDF2 with SHA-512 and SHA-256', async () => {
  expect(await run(createFolder(), blockWith('sh', 'keycloak.ts'))).toContain('Created 3, updated 0')
  expect(await stored('hedy@keycloak.example.com')).toMatchObject({ name: 'Hedy Lamarr' })
  expect(await stored('disabled@keycloak.example.com')).toBeUndefined()
  await expectOldPassword('ada@keycloak.example.com', /^\$argon2id\$v=19\$m=7168,t=5,p=1\$/)
  await expectOldPassword('grace@keycloak.example.com', /^\$pbkdf2-sha512\$i=210000\$/)
  await expectOldPassword('hedy@keycloak.example.com', /^\$pbkdf2-sha256\$i=27500\$/)
})

/** A password whose NFKC form differs from the typed text. */
const typed = 'p\u00E4sswo\u0308rd \uFB01ne'

/** Registers users with better-auth itself, in a database of its own, and adds one without a password. */
const fillBetterAuth = async (
  database: NonNullable<BetterAuthOptions['database']>,
  domain: string,
  addRow: (sql: string) => unknown,
): Promise<void> => {
  const auth = betterAuth({
    database,
    secret: 'only for this test, and long enough',
    baseURL: 'http://localhost',
    emailAndPassword: { enabled: true },
    telemetry: { enabled: false },
    logger: { disabled: true },
  })
  await (await getMigrations(auth.options)).runMigrations()
  await auth.api.signUpEmail({ body: { email: `ada@${domain}`, name: 'Ada "Countess" King', password } })
  await auth.api.signUpEmail({ body: { email: `hedy@${domain}`, name: 'Hedy', password: typed } })
  const columns = 'id, email, name, "emailVerified", "createdAt", "updatedAt"'
  await addRow(
    `insert into "user" (${columns}) select 'u-2', 'grace@${domain}', 'Grace', "emailVerified", "createdAt", "updatedAt" from "user" limit 1`,
  )
}

const expectBetterAuth = async (rows: readonly string[], domain: string) => {
  const directory = createFolder()
  writeFileSync(join(directory, 'rows.ndjson'), `${rows.join('\n')}\n`)
  expect(await run(directory, blockWith('sh', 'better-auth.ts'))).toContain('Created 3, updated 0')
  expect(readFileSync(join(directory, 'users.ndjson'), 'utf8')).toContain(`grace@${domain}`)
  expect(await stored(`ada@${domain}`)).toMatchObject({ name: 'Ada "Countess" King' })
  expect(await stored(`grace@${domain}`)).toMatchObject({ passwordHash: null })
  await expectOldPassword(`ada@${domain}`, /^\$scrypt\$ln=14,r=16,p=1\$/)
  await expectOldPassword(`hedy@${domain}`, /^\$scrypt\$ln=14,r=16,p=1\$/, typed)
}

test('better-auth on SQLite, after registrations of its own', async () => {
  const database = new Sqlite(':memory:')
  onTestFinished(() => void database.close())
  await fillBetterAuth(database, 'sqlite.example.com', (sql) => database.prepare(sql).run())
  const rows = database.prepare(blockWith('sql', 'select json_object')).pluck().all() as readonly string[]
  await expectBetterAuth(rows, 'sqlite.example.com')
})

test('better-auth on PostgreSQL, after registrations of its own', async () => {
  const postgres = await startPostgres()
  onTestFinished(() => postgres.remove())
  const pool = openPool({ connectionString: postgres.url })
  await fillBetterAuth(pool, 'postgres.example.com', (sql) => pool.query(sql))
  // psql prints JSON as text.
  const query = `select rows.json_build_object::text as row from (${blockWith('sql', 'select json_build_object')}) as rows`
  const { rows } = await pool.query<{ row: string }>(query)
  await expectBetterAuth(
    rows.map(({ row }) => row),
    'postgres.example.com',
  )
})
