import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'

const recipes = join(import.meta.dirname, 'import-users')
const home = mkdtempSync(join(tmpdir(), 'countersign-recipes-'))
afterAll(() => rmSync(home, { recursive: true, force: true }))

/** Runs a recipe, and returns its exit code and what it wrote. */
const run = (name: string, input: string, ...args: readonly string[]) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(recipes, name), ...args], { input, encoding: 'utf8' })
  const linesOf = (text: string) => text.split('\n').filter((line) => line !== '')
  return { status, users: linesOf(stdout).map((line): unknown => JSON.parse(line)), stderr: linesOf(stderr) }
}

const wrote = (users: number, withoutPassword: number, skipped: number) =>
  `Wrote ${users} users, ${withoutPassword} of them without a password. Left out 0 disabled, 0 without an email. Skipped ${skipped}.`

const file = (name: string, value: unknown): string => {
  const path = join(home, name)
  writeFileSync(path, JSON.stringify(value, undefined, 2))
  return path
}

describe('the recipe for Auth0', () => {
  const list = [
    { email: 'ada@example.com', name: 'Ada' },
    { email: 'grace@example.com', name: 'Grace' },
  ]
  it.each([
    ['in one line', JSON.stringify(list)],
    ['in many lines', JSON.stringify(list, undefined, 2)],
    ['as a page in each line', list.map((user) => `${JSON.stringify([user])}\n`).join('')],
    ['after a byte order mark', `\ufeff${JSON.stringify(list)}`],
    ['with capital letters', JSON.stringify(list.map(({ email, name }) => ({ Id: 'auth0|1', Name: name, Email: email })))],
    ['with totals', JSON.stringify({ start: 0, total: 2, users: list }, undefined, 2)],
  ])('reads a list, as the API answers: %s', (_, input) => {
    const users = list.map((user) => ({ ...user, passwordHash: null }))
    expect(run('auth0.ts', input)).toStrictEqual({ status: 0, users, stderr: [wrote(2, 2, 0)] })
  })

  it('skips lines that are not JSON, and lines with a member of the wrong type', () => {
    const input = `{"email":"ada@example.com","passwordHash":"hash"}\n{"email":"grace@example.com","passwordHash":7}\ncanary\n[7]\n`
    expect(run('auth0.ts', input)).toStrictEqual({
      status: 1,
      users: [{ email: 'ada@example.com', name: null, passwordHash: 'hash' }],
      stderr: [
        'Skipped "grace@example.com": the password hash is missing',
        'Skipped entry 3: is no JSON object',
        'Skipped entry 4: is no JSON object',
        wrote(1, 0, 3),
      ],
    })
  })
})

describe('the recipe for Firebase', () => {
  it('skips users whose hash has no salt or is redacted, and names these users', () => {
    const users = file('firebase.json', {
      users: [
        { localId: 'a', email: 'ada@example.com', passwordHash: 'canary' },
        { localId: 'g', email: 'grace@example.com', passwordHash: 'UkVEQUNURUQ=', salt: 'AAAA' },
        { localId: 'h', email: 'hedy@example.com' },
      ],
    })
    expect(run('firebase.ts', '', users, join(recipes, 'samples', 'firebase-hash-config.txt'))).toStrictEqual({
      status: 1,
      users: [{ email: 'hedy@example.com', name: null, passwordHash: null }],
      stderr: [
        'Skipped "ada@example.com": the salt of the password hash is missing',
        'Skipped "grace@example.com": the password hash is redacted; export with an account that may read hashes',
        wrote(1, 1, 2),
      ],
    })
  })
})

describe('the recipe for Keycloak', () => {
  it('fails for a realm without users', () => {
    const stderr = [wrote(0, 0, 0), 'No user was found. Is this the export that the recipe reads?']
    expect(run('keycloak.ts', '', file('empty.json', { realm: 'acme' }))).toStrictEqual({ status: 1, users: [], stderr })
  })

  const secret = JSON.stringify({ value: 'AAAA', salt: 'BBBB' })
  const data = JSON.stringify({ algorithm: 'pbkdf2-sha256', hashIterations: 27500 })
  const password = (secretData: unknown, credentialData: unknown = data) => [{ type: 'password', secretData, credentialData }]
  const oneUser = (credentials: unknown) =>
    run(
      'keycloak.ts',
      '',
      file('keycloak.json', { users: [{ email: 'ada@example.com', credentials }, { email: 'g@example.com' }] }),
    )
  const grace = { email: 'g@example.com', name: '', passwordHash: null }

  it.each([
    ['no secretData', password(undefined), 'secretData of the password is missing'],
    ['secretData that is no JSON', password('canary'), 'secretData of the password is missing'],
    ['secretData that is null', password('null'), 'secretData of the password is missing'],
    ['no value', password('{"salt":"AAAA"}'), 'the value of the password is missing'],
    ['a number as its value', password('{"value":7,"salt":"AAAA"}'), 'the value of the password is missing'],
    ['no salt', password('{"value":"AAAA"}'), 'the salt of the password is missing'],
    ['no iterations', password(secret, '{"algorithm":"pbkdf2"}'), 'the number of iterations is missing'],
    [
      'another algorithm',
      password(secret, '{"algorithm":"canary","hashIterations":1}'),
      'the algorithm of the password is not one of Keycloak itself',
    ],
    [
      'argon2 without its parameters',
      password(secret, '{"algorithm":"argon2","hashIterations":5}'),
      'additionalParameters of the password is missing',
    ],
    [
      'argon2 without its memory',
      password(secret, '{"algorithm":"argon2","hashIterations":5,"additionalParameters":{"memory":[]}}'),
      'the parameter memory of argon2 is missing',
    ],
    ['credentials that are no list', 'canary', 'has another form than expected'],
    ['an empty credential', [null], 'has another form than expected'],
  ])('skips a person with %s, and reads the others', (_, credentials, reason) => {
    const stderr = [`Skipped "ada@example.com": ${reason}`, wrote(1, 1, 1)]
    expect(oneUser(credentials)).toStrictEqual({ status: 1, users: [grace], stderr })
  })

  it('reads a whole credential, a person without credentials, and a realm without users', () => {
    const realm = file('realm.json', { realm: 'acme' })
    const users = file('users.json', {
      users: [
        { email: 'ada@example.com', credentials: password(secret) },
        { email: 'g@example.com', credentials: null },
      ],
    })
    expect(run('keycloak.ts', '', realm, users)).toStrictEqual({
      status: 0,
      users: [{ email: 'ada@example.com', name: '', passwordHash: '$pbkdf2-sha256$i=27500$BBBB$AAAA' }, grace],
      stderr: [wrote(2, 1, 0)],
    })
  })
})

describe('the recipe for better-auth', () => {
  const rows = [
    { email: 'ada@example.com', name: 'Ada', password: 'zz:canary' },
    { email: 'grace@example.com', name: null, password: null },
  ].map((row) => JSON.stringify(row))
  it.each([
    ['the rows of psql', rows.join('\n')],
    ['the list of sqlite3 -json', `[${rows.join(',\n')}]`],
  ])('reads %s, and skips a password of another form', (_, input) => {
    expect(run('better-auth.ts', input)).toStrictEqual({
      status: 1,
      users: [{ email: 'grace@example.com', name: null, passwordHash: null }],
      stderr: ['Skipped "ada@example.com": the password is not salt:key in hexadecimal', wrote(1, 1, 1)],
    })
  })
})
