import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { runAsPerson } from '../testing/terminal.ts'
import { openWorkplaceOfFile } from '../testing/workplace-of-file.ts'

const password = 'correct horse battery staple'
const bcryptHash = '$2b$05$abcdefghijklmnopqrstuuFiPhXf1sVd3pCCRO.uVh34H/qI/ZsuS'
const none = { created: 0, updated: 0, skipped: 0, refused: 0, skippedLines: [], refusedLines: [] }

const { here, server } = await openWorkplaceOfFile()
let group = 0
beforeEach(() => {
  group += 1
})

/** Returns an email that no other test has. */
const emailOf = (name: string) => `${name}.${group}@example.com`

const write = (name: string, content: string | Uint8Array): string => {
  const path = join(here.directory, name)
  writeFileSync(path, content)
  return path
}

const ndjson = (...users: readonly object[]) => write('users.ndjson', `${users.map((user) => JSON.stringify(user)).join('\n')}\n`)

const shown = (email: string) => here.json(['user', 'show', email])
const logIn = (email: string) => server.countersign.auth.login({ email, password })

test('users are imported from NDJSON and log in with their old password, and a second import skips them', async () => {
  const ada = {
    email: emailOf('ada'),
    name: 'Ada',
    passwordHash: bcryptHash,
    permissions: ['project.read'],
    employee: { id: '7' },
  }
  const file = ndjson(ada, { email: emailOf('grace') })
  expect(await here.json(['user', 'import', file])).toEqual({ ...none, created: 2 })
  await logIn(ada.email)
  expect(await shown(ada.email)).toMatchObject({ name: 'Ada', permissions: ['project.read'], employee: { id: '7', name: 'Ada' } })
  expect(await shown(emailOf('grace'))).toMatchObject({ hasPassword: false })
  expect(await here.run(['user', 'import', file])).toEqual({
    code: 0,
    stdout:
      'Created 0, updated 0, skipped 2 with an email that exists, refused 0\nSkipped lines: 1, 2\nThere was nothing to do.\n',
    stderr: '',
  })
})

test('a slow hash is refused with the reason, and accepted with --accept-slow', async () => {
  const file = ndjson({ email: emailOf('ada'), passwordHash: bcryptHash.replace('$05$', '$13$') })
  const refused = await here.run(['user', 'import', file])
  expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('unless the import accepts slow hashes') })
  expect(await here.json(['user', 'import', file, '--accept-slow'])).toEqual({ ...none, created: 1 })
})

test('users are imported from CSV, with members named by a dot and blanks between permissions', async () => {
  const header = 'department.name,email,name,permissions,passwordHash,employee.id,department.id'
  const rows = [
    `"Engines, large",${emailOf('ada')},"Ada ""Countess"" King",project.read project.update,${bcryptHash},7,d1`,
    `,${emailOf('grace')},,,,,`,
  ]
  const file = write('users.csv', `\ufeff${header}\r\n${rows.join('\r\n')}\r\n`)
  expect(await here.json(['user', 'import', file])).toEqual({ ...none, created: 2 })
  expect(await shown(emailOf('ada'))).toMatchObject({
    name: 'Ada "Countess" King',
    permissions: ['project.read', 'project.update'],
    employee: { id: '7', name: 'Ada "Countess" King' },
    department: { id: 'd1', name: 'Engines, large' },
  })
  await logIn(emailOf('ada'))
  expect(await shown(emailOf('grace'))).toMatchObject({ name: '', permissions: [], hasPassword: false })
})

test('if the output leaves lines out, it names the option that lists them', async () => {
  const bad = ndjson(...Array.from({ length: 22 }, () => ({ email: 'canary' })))
  const { stderr } = await here.run(['user', 'import', bad])
  expect(stderr.trim().split('\n').at(-1)).toBe(
    'warning: 2 more lines are refused; --json lists the first 1000 with their reasons',
  )
})

test('bad lines are named and not imported, and the exit code is 1', async () => {
  const file = ndjson({ email: emailOf('ada') }, { email: 'canary' }, { email: emailOf('x'), passwordHash: '$2b$31$canary' })
  const refusedLines = [
    { line: 2, reason: 'email: must be one email address of at most 254 characters' },
    { line: 3, reason: 'passwordHash: must be a whole bcrypt hash, such as $2b$10$ and 53 characters' },
  ]
  const ran = await here.run(['user', 'import', file])
  expect(ran).toEqual({
    code: 1,
    stdout: 'Created 1, updated 0, skipped 0 with an email that exists, refused 2\n',
    stderr: refusedLines.map(({ line, reason }) => `warning: line ${line} is refused: ${reason}\n`).join(''),
  })
  const again = await here.run(['user', 'import', file, '--json'])
  expect(again.code).toBe(1)
  expect(JSON.parse(again.stdout)).toEqual({ ...none, skipped: 1, refused: 2, skippedLines: [1], refusedLines })
})

test('a dry run writes nothing and has the same exit code', async () => {
  const good = ndjson({ email: emailOf('ada') })
  expect(await here.run(['user', 'import', good, '--dry-run'])).toEqual({
    code: 0,
    stdout: 'Would create 1, update 0, skip 0 with an email that exists, refuse 0\n',
    stderr: '',
  })
  const bad = ndjson({ email: emailOf('ada') }, { email: 'nobody' })
  expect(await here.run(['user', 'import', bad, '--dry-run'])).toMatchObject({ code: 1 })
  expect(await here.run(['user', 'show', emailOf('ada')])).toMatchObject({ code: 1, stderr: 'error: User not found\n' })
})

test('--update changes users who exist, and leaves their passwords', async () => {
  const ada = { email: emailOf('ada'), passwordHash: bcryptHash }
  await here.json(['user', 'import', ndjson(ada)])
  const file = ndjson({ ...ada, name: 'Ada King', passwordHash: `${bcryptHash.slice(0, -1)}O` })
  expect(await here.json(['user', 'import', file, '--update'])).toEqual({ ...none, updated: 1 })
  expect(await shown(ada.email)).toMatchObject({ name: 'Ada King' })
  await logIn(ada.email)
  const again = await here.run(['user', 'import', file, '--update'])
  expect(again.stdout).toContain('Created 0, updated 0, skipped 1 unchanged, refused 0')
})

test('unknown permissions are granted with a warning', async () => {
  const ran = await here.run(['user', 'import', ndjson({ email: emailOf('ada'), permissions: ['project.raed', 'project.read'] })])
  expect(ran.code).toBe(0)
  expect(ran.stderr).toMatch(/^warning: no operation of Countersign asks for project\.raed; it knows [^\n]+\n$/)
})

test.each([
  ['email\n"a', 'users.csv', /^error: line 2: must close the quote that it opens\n$/],
  ['email,email\n', 'users.csv', /^error: line 1: must name the column email once\n$/],
  ['email,password\n', 'users.csv', /^error: line 1: must name only the columns email, name, passwordHash, [^\n]+\n$/],
  ['name\nAda\n', 'users.csv', /^error: line 1: must name the column email, in this spelling, separated by commas\n$/],
  ['email,name,name\n', 'users.csv', /^error: line 1: must name only the columns [^\n]+ each once\n$/],
])('%j is refused as a file of users', async (content, name, message) => {
  const ran = await here.run(['user', 'import', write(name, content)])
  expect(ran).toEqual({ code: 1, stdout: '', stderr: expect.stringMatching(message) })
})

test('for a file that cannot be parsed to its end, the command says how many users are stored', async () => {
  const users = Array.from({ length: 300 }, (_, index) => emailOf(`user-${index}`))
  const ran = await here.run(['user', 'import', write('users.csv', `email\n${users.join('\n')}\n"x\n`)])
  expect(ran).toEqual({
    code: 1,
    stdout: '',
    stderr:
      'Stopped by an error; 250 users are created and 0 are updated, of earlier lines\nerror: line 302: must close the quote that it opens\n',
  })
})

test('a line that cannot be parsed is named in the order of the file, and the other lines are imported', async () => {
  const [first, last] = [emailOf('first'), emailOf('last')]
  const bad = ['{', '[]', `{"email":"${first}","email":"x"}`, '{"__proto__":{}}', `{"email":"${'x'.repeat(1024 * 1024)}"}`]
  const content = [JSON.stringify({ email: first }), ...bad, '{"email":7}', JSON.stringify({ email: last })].join('\n')
  const path = write('users.ndjson', Buffer.concat([Buffer.from(`${content}\n`), Buffer.from('{"name":"Zoë"}', 'latin1')]))
  const refusedLines = [
    { line: 2, reason: 'must be a JSON object' },
    { line: 3, reason: 'must be a JSON object' },
    { line: 4, reason: 'email: must not be given twice' },
    { line: 5, reason: 'must not have a member named __proto__' },
    { line: 6, reason: 'must be at most 1 MiB' },
    { line: 7, reason: expect.stringContaining('email: must be text') },
    { line: 9, reason: 'must be UTF-8' },
  ]
  const answer = { created: 2, updated: 0, skipped: 0, refused: 7, skippedLines: [], refusedLines }
  for (const options of [['--dry-run'], []]) {
    const ran = await here.run(['user', 'import', path, '--json', ...options])
    expect({ code: ran.code, json: JSON.parse(ran.stdout) as unknown }).toEqual({ code: 1, json: answer })
  }
  expect(await here.json(['user', 'show', last])).toMatchObject({ email: last })
})

test('a row of CSV with the wrong number of fields is refused, and the other rows are imported', async () => {
  const email = emailOf('ada')
  const ran = await here.run(['user', 'import', write('users.csv', `email,name\nx@example.test,Eve,Eve\n${email},Ada\n`)])
  expect(ran).toMatchObject({ code: 1, stdout: expect.stringMatching(/^Created 1, .* refused 1\n/) })
  expect(ran.stderr).toBe('warning: line 2 is refused: must have as many fields as the first line\n')
})

test('no warning appears for an unknown permission of a refused line', async () => {
  const ran = await here.run(['user', 'import', ndjson({ email: 7, permissions: ['project.raed'] })])
  expect(ran.stderr).not.toContain('project.raed')
})

test('a missing file is refused', async () => {
  const ran = await here.run(['user', 'import', 'nothing.csv'])
  expect(ran).toEqual({ code: 1, stdout: '', stderr: 'error: the file cannot be read (ENOENT)\n' })
})

test('people see the progress on a terminal', async () => {
  const users = Array.from({ length: 3000 }, (_, index) =>
    JSON.stringify({ email: emailOf(`user-${index}`), passwordHash: bcryptHash }),
  )
  const { code, shown: screen } = await runAsPerson(here, ['user', 'import', write('users.ndjson', users.join('\n'))])
  expect(code).toBe(0)
  expect(screen).toMatch(/[█░]+ \d+% \| \d+ lines/)
  expect(screen).toContain('Created 3000, updated 0')
})
