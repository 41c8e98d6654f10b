import { readFileSync, statSync } from 'node:fs'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createWorkplace, type Workplace } from '../testing/run-command.ts'
import { openChangeLog } from './change-log.ts'

let here: Workplace
beforeEach(async () => {
  here = createWorkplace()
  await here.json(['migrate'])
})
afterEach(() => here.remove())

const password = 'a password, long enough'
const osUser = userInfo().username
const linesIn = (text: string) =>
  text
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as Readonly<Record<string, unknown>>)
const logged = () => linesIn(readFileSync(join(here.directory, 'changes.log'), 'utf8'))

test('each change writes a line with its ids and the user of the operating system to the file of COUNTERSIGN_LOG_FILE', async () => {
  const email = 'ada@example.com'
  await here.json(['user', 'create', '--email', email, '--password-stdin'], { stdin: password })
  await here.json(['user', 'grant', email, 'project.read'])
  await here.json(['user', 'set-password', email, '--password-stdin'], { stdin: `${password} anew` })
  await here.json(['user', 'lock', email])
  await here.json(['user', 'unlock', email])
  await here.json(['user', 'delete', email, '--yes'])
  expect(logged().map(({ event }) => event)).toEqual([
    'migrated',
    'user_created',
    'permissions_granted',
    'password_set',
    'account_locked',
    'account_unlocked',
    'user_deleted',
  ])
  for (const line of logged().slice(1)) expect(line).toMatchObject({ userId: 1, osUser, time: expect.any(String) })
  expect(logged()[2]).toMatchObject({ permissions: ['project.read'] })
  expect(JSON.stringify(logged())).not.toContain(password)
  expect(JSON.stringify(logged())).not.toContain(email)
  expect(statSync(join(here.directory, 'changes.log')).mode & 0o777).toBe(0o600)
})

test('without a file, the lines are on standard error, and standard output has only the answer', async () => {
  const env = { COUNTERSIGN_LOG_FILE: undefined }
  const issued = await here.run(['service-token', 'issue', '--service', 'billing', '--json'], { env })
  const answer = JSON.parse(issued.stdout) as { readonly id: string; readonly token: string }
  expect(linesIn(issued.stderr)).toMatchObject([{ event: 'service_token_issued', id: answer.id, service: 'billing', osUser }])
  expect(issued.stderr).not.toContain(answer.token)
})

test('on a terminal without a file, each change is a sentence', async () => {
  let shown = ''
  const write = (text: string) => {
    shown += text
  }
  const stderr = Object.assign(Object.create(process.stderr), { isTTY: true, write })
  const log = await openChangeLog({ env: {}, stderr })
  log.info('service_token_issued', { id: 'a-1', service: 'bil\u001bling', scopes: ['tokens.verify', 'confirmations.redeem'] })
  log.ofCore.warn('account_locked', { userId: 7, by: 'admin' })
  expect(shown).toBe(
    `Service token issued: id a-1, service bil\\u001bling, scopes tokens.verify confirmations.redeem, osUser ${osUser}.\n` +
      `Account locked: userId 7, by admin, osUser ${osUser}.\n`,
  )
})

test('a refused change and a command that only reads write no line', async () => {
  const before = logged().length
  await here.run(['user', 'lock', 'nobody@example.com'])
  await here.json(['user', 'list'])
  expect(logged()).toHaveLength(before)
})

test('nothing is changed if the file cannot be opened', async () => {
  const env = { COUNTERSIGN_LOG_FILE: here.directory }
  const { code, stderr } = await here.run(['customer', 'create', '--name', 'A', '--email', 'a@example.com'], { env })
  expect({ code, stderr }).toMatchObject({ code: 1, stderr: expect.stringContaining('COUNTERSIGN_LOG_FILE') })
  expect(await here.json(['customer', 'list'])).toEqual([])
})
