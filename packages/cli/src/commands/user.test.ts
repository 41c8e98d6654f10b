import type { OpenCountersign } from '@countersign/server'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openCore } from '../testing/open-core.ts'
import { createWorkplace, type Workplace } from '../testing/run-command.ts'

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
  directoryId: null,
  disabledAt: null,
  createdAt: timestamp,
  updatedAt: timestamp,
}

const create = ['user', 'create', '--email', 'Ada@Example.com', '--password-stdin', '--name', 'Ada Lovelace']
const more = ['--employee-id', '7', '--department-id', 'd1', '--department-name', 'Engines']
const permissions = ['--permission', 'project.read', '--permission', 'project.create']

let here: Workplace
let server: OpenCountersign
beforeAll(async () => {
  here = createWorkplace()
  server = await openCore(here)
  expect(await here.json([...create, ...more, ...permissions], { stdin: 'correct horse battery\n' })).toEqual({ id: 1, email })
})
afterAll(async () => {
  await server.close()
  here.remove()
})

const logIn = (password: string) => server.countersign.auth.login({ email, password })

test('a user is shown with all that was said of them, and without the hash of the password', async () => {
  expect(await here.json(['user', 'show', 'ADA@example.com'])).toEqual(ada)
  expect(await here.json(['user', 'list'])).toEqual([ada])
})

test('people see a table of the users, and the facts of one', async () => {
  const list = await here.run(['user', 'list'])
  expect(list.stdout).toMatch(/│ id │ email +│ name +│/)
  expect(list.stdout).toMatch(/│ 1 {2}│ ada@example\.com │ Ada Lovelace │/)
  const show = await here.run(['user', 'show', email])
  expect(show.stdout).toMatch(/^email +ada@example\.com\n/m)
  expect(show.stdout).toMatch(/^department +d1, Engines\n/m)
})

test('permissions are granted and revoked, several at once', async () => {
  expect(await here.json(['user', 'grant', email, 'order.read', 'order.*'])).toMatchObject({
    permissions: ['order.*', 'order.read', 'project.create', 'project.read'],
  })
  expect(await here.json(['user', 'revoke', email, 'order.read', 'order.*'])).toMatchObject({ permissions: ada.permissions })
})

test('a user who is disabled cannot log in, until enabled again', async () => {
  expect(await here.json(['user', 'disable', email])).toEqual({ ...ada, disabled: true, disabledAt: timestamp })
  await expect(logIn('correct horse battery')).rejects.toThrow('Invalid email or password')
  expect(await here.json(['user', 'enable', email])).toEqual(ada)
  await logIn('correct horse battery')
})

test('a new password takes the place of the old one, to the last space', async () => {
  const set = ['user', 'set-password', email, '--password-stdin']
  expect(await here.json(set, { stdin: ' another long password \n' })).toEqual(ada)
  await expect(logIn('correct horse battery')).rejects.toThrow('Invalid email or password')
  await logIn(' another long password ')
})

test.each([
  ['a second user of one email', [...create], 'A user with this email exists already'],
  ['a user who is not there', ['user', 'show', 'eve@example.com'], 'User not found'],
  ['a permission of another form', ['user', 'grant', email, 'everything'], 'permissions: must have the form'],
])('%s is refused in one line', async (_what, args, line) => {
  const { code, stdout, stderr } = await here.run(args, { stdin: 'correct horse battery' })
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
  expect(stderr).toMatch(new RegExp(`^error: ${line}[^\\n]*\\n$`))
})

test('a password that no login could say is refused', async () => {
  const { code, stderr } = await here.run(['user', 'set-password', email, '--password-stdin'], {
    stdin: 'correct\0horse battery\n',
  })
  expect({ code, stderr }).toEqual({ code: 1, stderr: 'error: password: must be text without NUL and unpaired surrogates\n' })
})

test('a password that is too short is refused, and not shown', async () => {
  const { code, stderr } = await here.run(['user', 'set-password', email, '--password-stdin'], { stdin: 'tooshort\n' })
  expect({ code, stderr }).toEqual({ code: 1, stderr: 'error: password: must be 12 to 128 characters\n' })
})
