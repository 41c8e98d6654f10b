import { beforeAll, expect, test } from 'vitest'
import { openWorkplaceOfFile } from '../testing/workplace-of-file.ts'

const email = 'ada@example.com'
const password = 'correct horse battery'
const newPassword = 'another password, long enough'
const aCode = expect.stringMatching(/^[0-9A-HJKMNP-TV-Z]{26}$/)
const timestamp = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)

const { here, server } = await openWorkplaceOfFile()
beforeAll(async () => {
  await here.json(['user', 'create', '--email', email, '--password-stdin'], { stdin: password })
})

const logIn = (given: string, user = email) => server.countersign.auth.login({ email: user, password: given })

test.each(['enrol', 'invite', 'reset'])('`user %s` prints a code and its expiry, and nothing else, as JSON', async (command) => {
  expect(await here.json(['user', command, email])).toStrictEqual({ code: aCode, expiresAt: timestamp })
})

test('people get the code alone on standard output, so that it can be piped', async () => {
  const { code, stdout } = await here.run(['user', 'enrol', email])
  expect(code).toBe(0)
  expect(stdout).toMatch(/^[0-9A-HJKMNP-TV-Z]{26}\n$/)
})

test('a user sets a new password with the code of a reset', async () => {
  const { code } = (await here.json(['user', 'reset', email])) as { code: string }
  await server.countersign.password.setWithCode({ code, newPassword })
  await expect(logIn(password)).rejects.toMatchObject({ code: 'invalid_credentials' })
  await expect(logIn(newPassword)).resolves.toBeDefined()
})

test('an invited user has no password until they set one', async () => {
  const { code } = (await here.json(['user', 'invite', 'grace@example.com'])) as { code: string }
  expect(await here.json(['user', 'show', 'grace@example.com'])).toMatchObject({ hasPassword: false })
  await expect(logIn(password, 'grace@example.com')).rejects.toMatchObject({ code: 'invalid_credentials' })
  await server.countersign.password.setWithCode({ code, newPassword })
  await expect(logIn(newPassword, 'grace@example.com')).resolves.toBeDefined()
})

test.each(['enrol', 'reset', 'lock', 'unlock'])('`user %s` refuses an unknown email', async (command) => {
  const { code, stderr } = await here.run(['user', command, 'nobody@example.com'])
  expect(code).not.toBe(0)
  expect(stderr).toContain('User not found')
})

test('a locked account refuses logins in a running server, until it is unlocked', async () => {
  const { accessToken } = await logIn(newPassword)
  expect(await here.json(['user', 'lock', email])).toMatchObject({ email, locked: true, lockedAt: timestamp })
  await expect(server.countersign.auth.authenticate({ token: accessToken })).rejects.toMatchObject({
    code: 'invalid_access_token',
  })
  await expect(logIn(newPassword)).rejects.toMatchObject({ code: 'invalid_credentials' })
  const { code, stderr } = await here.run(['user', 'reset', email])
  expect(code).not.toBe(0)
  expect(stderr).toContain('The user is disabled or locked')
  expect(await here.json(['user', 'unlock', email])).toMatchObject({ locked: false, lockedAt: null })
  await expect(logIn(newPassword)).resolves.toBeDefined()
})
