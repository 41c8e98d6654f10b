import { beforeAll, expect, test } from 'vitest'
import { runAsPerson } from '../testing/terminal.ts'
import { openWorkplaceOfFile } from '../testing/workplace-of-file.ts'

const email = 'ada@example.com'
const timestamp = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)

const ada = {
  id: 1,
  email,
  name: 'Ada Lovelace',
  employee: { id: '7', name: 'Ada Lovelace', avatarFileId: '' },
  department: { id: 'd1', name: 'Engines' },
  permissions: ['project.create', 'project.read'],
  hasPassword: true,
  disabled: false,
  locked: false,
  directoryId: null,
  disabledAt: null,
  lockedAt: null,
  createdAt: timestamp,
  updatedAt: timestamp,
}

const create = ['user', 'create', '--email', 'Ada@Example.com', '--password-stdin', '--name', 'Ada Lovelace']
const more = ['--employee-id', '7', '--department-id', 'd1', '--department-name', 'Engines']
const permissions = ['--permission', 'project.read', '--permission', 'project.create']

const { here, server } = await openWorkplaceOfFile()
beforeAll(async () => {
  expect(await here.json([...create, ...more, ...permissions], { stdin: 'correct horse battery\n' })).toEqual({ id: 1, email })
})

const logIn = (password: string) => server.countersign.auth.login({ email, password })

test('a user is shown with all given fields, and without the password hash', async () => {
  expect(await here.json(['user', 'show', 'ADA@example.com'])).toEqual(ada)
  expect(await here.json(['user', 'list'])).toEqual([ada])
})

test('other programs get tab-separated lines, for the list of users and for one user', async () => {
  const list = await here.run(['user', 'list'])
  expect(list.stdout).toMatch(/^id\temail\tname\t/)
  expect(list.stdout).toMatch(/^1\tada@example\.com\tAda Lovelace\t/m)
  const show = await here.run(['user', 'show', email])
  expect(show.stdout).toMatch(/^email\tada@example\.com\n/m)
  expect(show.stdout).toMatch(/^department\td1, Engines\n/m)
})

test('people see a table no wider than their terminal', async () => {
  const { code, shown } = await runAsPerson(here, ['user', 'list'], { columns: 70 })
  expect(code).toBe(0)
  expect(shown).toMatch(/│ 1 {2}│ ada@example\.com │ Ada Lovelace │/)
  for (const line of shown.split('\n')) expect(line.length).toBeLessThanOrEqual(70)
})

test('several permissions are granted and revoked at a time', async () => {
  expect(await here.json(['user', 'grant', email, 'project.delete', 'project.*'])).toMatchObject({
    permissions: ['project.*', 'project.create', 'project.delete', 'project.read'],
  })
  expect(await here.json(['user', 'revoke', email, 'project.delete', 'project.*'])).toMatchObject({
    permissions: ada.permissions,
  })
})

test('a revoked permission that was not held is named in a warning', async () => {
  await here.json(['user', 'grant', email, 'project.delete'])
  expect(await here.run(['user', 'revoke', email, 'project.delete', 'expense.read'])).toMatchObject({
    code: 0,
    stderr: `warning: ${email} did not hold expense.read\n`,
  })
})

test('a permission that a wildcard still grants is not revoked, and the error says why', async () => {
  await here.json(['user', 'grant', email, 'project.*'])
  expect(await here.run(['user', 'revoke', email, 'project.read'])).toEqual({
    code: 1,
    stdout: '',
    stderr: 'error: Without project.read, project.* would still grant it: revoke project.* too\n',
  })
  await here.json(['user', 'revoke', email, 'project.*'])
})

test('a permission that no operation needs is granted with a warning on standard error, and the output stays the same', async () => {
  const warning = (permission: string) =>
    `warning: no operation of Countersign asks for ${permission}; it knows project.read, project.create, project.update, project.approve, project.delete\n`
  const granted = await here.run(['user', 'grant', email, 'order.read', 'project.raed', '*.*', '--json'])
  expect(granted).toMatchObject({ code: 0, stderr: warning('order.read') + warning('project.raed') })
  expect(JSON.parse(granted.stdout)).toMatchObject({ email })
  const args = ['user', 'create', '--email', 'grace@example.com', '--password-stdin', '--permission', 'order.*']
  const created = await here.run([...args, '--permission', 'project.*'], { stdin: 'correct horse battery' })
  expect(created).toEqual({ code: 0, stdout: 'Created user 2: grace@example.com\n', stderr: warning('order.*') })
  await here.json(['user', 'revoke', email, 'order.read', 'project.raed', '*.*'])
})

test('on a terminal, the password is asked for twice and not shown', async () => {
  const typed = [
    { after: 'Password: ', keys: 'typed horse battery\r' },
    { after: 'Again: ', keys: 'typed horse battery\r' },
  ]
  const args = ['user', 'create', '--email', 'typed@example.com']
  const created = await runAsPerson(here, args, { typed })
  expect(created).toEqual({
    code: 0,
    shown: expect.stringMatching(/^Password: \nAgain: \nCreated user \d: typed@example\.com\n$/),
  })
  await server.countersign.auth.login({ email: 'typed@example.com', password: 'typed horse battery' })
  const set = await runAsPerson(here, ['user', 'set-password', 'typed@example.com'], {
    typed: typed.map((one) => ({ ...one, keys: 'another horse battery\r' })),
  })
  expect(set).toMatchObject({ code: 0, shown: expect.stringMatching(/^Password: \nAgain: \nSet the password/) })
  await server.countersign.auth.login({ email: 'typed@example.com', password: 'another horse battery' })
})

test('a disabled user cannot log in until they are enabled again', async () => {
  expect(await here.json(['user', 'disable', email])).toEqual({ ...ada, disabled: true, disabledAt: timestamp })
  await expect(logIn('correct horse battery')).rejects.toThrow('Invalid email or password')
  expect(await here.json(['user', 'enable', email])).toEqual(ada)
  await logIn('correct horse battery')
})

test('a new password replaces the old password, including spaces at its end', async () => {
  const set = ['user', 'set-password', email, '--password-stdin']
  expect(await here.json(set, { stdin: ' another long password \n' })).toEqual(ada)
  await expect(logIn('correct horse battery')).rejects.toThrow('Invalid email or password')
  await logIn(' another long password ')
})

test.each([
  ['a second user with the same email', [...create], 'A user with this email exists already'],
  ['an unknown user', ['user', 'show', 'eve@example.com'], 'User not found'],
  ['a malformed permission', ['user', 'grant', email, 'everything'], 'permissions: must have the form'],
])('%s is refused in one line', async (_what, args, line) => {
  const { code, stdout, stderr } = await here.run(args, { stdin: 'correct horse battery' })
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
  expect(stderr).toMatch(new RegExp(`^error: ${line}[^\\n]*\\n$`))
})

test('a password that is too long for a login request is refused', async () => {
  const { code, stderr } = await here.run(['user', 'set-password', email, '--password-stdin'], {
    stdin: 'correct\0horse battery\n',
  })
  expect({ code, stderr }).toEqual({ code: 1, stderr: 'error: password: must be text without NUL and unpaired surrogates\n' })
})

test('a password that is too short is refused, and not printed', async () => {
  const { code, stderr } = await here.run(['user', 'set-password', email, '--password-stdin'], { stdin: 'tooshort\n' })
  expect({ code, stderr }).toEqual({ code: 1, stderr: 'error: password: must be 12 to 128 characters\n' })
})

test('a list of users has a limit, a search and filters', async () => {
  await here.json(['user', 'create', '--email', 'hopper@example.com', '--name', 'Grace Hopper', '--password-stdin'], {
    stdin: 'correct horse battery',
  })
  const emails = async (...options: readonly string[]) =>
    ((await here.json(['user', 'list', ...options])) as readonly { email: string }[]).map((user) => user.email)
  const page = await here.run(['user', 'list', '--limit', '1', '--json'])
  const [first] = JSON.parse(page.stdout) as readonly { readonly id: number; readonly email: string }[]
  expect(page.stderr).toBe(`warning: the list goes on with --after ${first?.id}\n`)
  const rest = await emails('--after', String(first?.id))
  expect(rest).not.toContain(first?.email)
  expect(await here.json(['user', 'list', '--count'])).toEqual({ count: rest.length + 1 })
  expect(await here.json(['user', 'list', '--count', '--search', 'hopper', '--no-trusted-device'])).toEqual({ count: 1 })
  expect(await here.run(['user', 'list', '--count', '--limit', '1'])).toMatchObject({ code: 2 })
  expect(await emails('--search', 'hopper', '--department', 'none')).toEqual([])
  expect(await emails('--search', 'hopper', '--since', '2026-01-01')).toEqual(['hopper@example.com'])
  expect(await emails('--search', 'hopper', '--before', '2026-01-01')).toEqual([])
  expect(await emails('--search', 'HOPPER')).toEqual(['hopper@example.com'])
  expect(await emails('--permission', 'nothing.here')).toEqual([])
  await here.json(['user', 'lock', 'hopper@example.com'])
  expect(await emails('--locked')).toEqual(['hopper@example.com'])
  expect(await emails('--disabled', '--search', 'hopper')).toEqual([])
  await here.json(['user', 'delete', 'hopper@example.com', '--yes'])
})
