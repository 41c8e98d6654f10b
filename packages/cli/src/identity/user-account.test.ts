import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { startMailServer } from '../../../server/src/testing/mail-server.ts'
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

describe('an invitation that is delivered', () => {
  const invited = ['user', 'invite', 'lin@example.com', '--deliver']
  const given = async (...options: Parameters<typeof startMailServer>) => {
    const mailServer = await startMailServer(...options)
    onTestFinished(mailServer.close)
    const url = `smtp://127.0.0.1:${mailServer.port}`
    return { mailServer, env: { COUNTERSIGN_SMTP_URL: url, COUNTERSIGN_SMTP_FROM: 'no-reply@example.com' } }
  }

  test('is mailed in the given language and not printed, and its code sets the first password', async () => {
    const { mailServer, env } = await given()
    const { code: exit, stdout, stderr } = await here.run([...invited, '--language', 'de'], { env })
    const [mail] = mailServer.received
    expect(mail).toMatchObject({ recipients: ['lin@example.com'], subject: 'Ihre Einladung' })
    const code = /^[0-9A-HJKMNP-TV-Z]{26}$/m.exec(mail?.text ?? '')?.[0] ?? ''
    expect({ exit, stdout }).toEqual({ exit: 0, stdout: expect.stringContaining('The code was mailed') })
    expect(stdout + stderr).not.toContain(code)
    await server.countersign.password.setWithCode({ code, newPassword })
    await expect(logIn(newPassword, 'lin@example.com')).resolves.toBeDefined()
  })

  test('is only said to be delivered as JSON', async () => {
    const { env } = await given()
    expect(await here.json(invited, { env })).toStrictEqual({ delivered: true, expiresAt: timestamp })
  })

  test('is void and exits with 1 if the mail server refuses it', async () => {
    const refusal = Object.assign(new Error('no mailbox'), { responseCode: 550 })
    const { env } = await given({ disabledCommands: ['STARTTLS'], onRcptTo: (_, __, done) => done(refusal) })
    const { code, stderr } = await here.run(invited, { env })
    expect({ code, stderr }).toEqual({ code: 1, stderr: 'error: the mail was not sent, and its code is void: EENVELOPE_550\n' })
  })

  test('is refused without a mail server, and creates no user', async () => {
    const { code, stderr } = await here.run(['user', 'invite', 'nobody@example.com', '--deliver'])
    expect({ code, stderr }).toEqual({ code: 1, stderr: 'error: This service delivers no codes\n' })
    expect((await here.run(['user', 'show', 'nobody@example.com'])).code).toBe(1)
  })
})

test('`user why` says that a mailed code has set the password, and what that means for a new phone', async () => {
  const { id } = (await here.json(['user', 'show', email])) as { id: number }
  const now = Date.now()
  await server.storage.trust.markMailbox({ userId: Number(id), rememberedSince: now, now })
  const mailboxMark = { setAt: timestamp, endsAt: timestamp }
  expect(await here.json(['user', 'why', email])).toMatchObject({ mailboxMark })
  const { stdout } = await here.run(['user', 'why', email])
  expect(stdout).toMatch(
    /^A code that only the mailbox vouched for set the password at \S+Z: a new phone is not trusted until \S+Z\.$/m,
  )
  await server.storage.trust.endMailboxMark(Number(id))
  expect(await here.json(['user', 'why', email])).toMatchObject({ mailboxMark: null })
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
