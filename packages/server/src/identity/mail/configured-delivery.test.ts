import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { generateKeyRing, systemRandom } from '@countersign/core'
import { recordingLogger } from '@countersign/core/testing'
import type { SMTPServerOptions } from 'smtp-server'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openCountersign } from '../../compose.ts'
import { type Environment, readConfig } from '../../config/read-config.ts'
import { serve } from '../../serve.ts'
import { startMailServer } from '../../testing/mail-server.ts'
import { codePageOf } from './configured-delivery.ts'

const email = 'ada@example.test'

/** Serves with a user, and with a mail server unless `from` is left out. */
const given = async (more: Environment = {}, options?: SMTPServerOptions) => {
  const root = await mkdtemp(join(tmpdir(), 'countersign-mail-'))
  const mailServer = await startMailServer({ disabledCommands: ['STARTTLS'], ...options })
  const logger = recordingLogger()
  const config = readConfig({
    COUNTERSIGN_DATABASE_URL: `sqlite:${join(root, 'countersign.db')}`,
    COUNTERSIGN_PORT: '0',
    COUNTERSIGN_JWT_KEYS: generateKeyRing(systemRandom),
    COUNTERSIGN_ENCRYPTION_KEYS: generateKeyRing(systemRandom),
    COUNTERSIGN_SMTP_URL: `smtp://127.0.0.1:${mailServer.port}`,
    COUNTERSIGN_SMTP_FROM: 'no-reply@example.test',
    ...more,
  })
  const server = await serve(config, { logger, signals: false })
  onTestFinished(async () => {
    await server.close()
    await mailServer.close()
    await rm(root, { recursive: true })
  })
  const opened = await openCountersign(config, { logger })
  await opened.countersign.users.create({ email, password: 'correct horse battery staple' })
  await opened.close()
  const post = (operation: string, json: unknown) =>
    fetch(`${server.url}/api/v1/auth/password/${operation}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'accept-language': 'de' },
      body: JSON.stringify(json),
    })
  return { mailServer, logger, server, post }
}

describe('a server with a configured mail server', () => {
  it('mails a code whose link leads to its approver, and the code sets the password', async () => {
    const { mailServer, logger, server, post } = await given()
    expect((await post('forgot', { email })).status).toBe(202)
    await expect.poll(() => mailServer.received.length).toBe(1)
    const [mail] = mailServer.received
    expect(mail).toMatchObject({ recipients: [email], subject: 'Ihr Code für ein neues Passwort' })
    const { port } = new URL(server.url)
    const code = new RegExp(`^http://localhost:${port}/approve/#/password/([0-9A-Z]{26})$`, 'm').exec(mail?.text ?? '')?.[1]
    expect((await post('redeem', { code, newPassword: 'another password, long enough' })).status).toBe(200)
    expect(JSON.stringify(logger.entries)).not.toMatch(new RegExp(`${email}|${code}`))
  })

  it('mails nothing to an email without an account, with the same answer', async () => {
    const { mailServer, server, post } = await given()
    expect((await post('forgot', { email: 'grace@example.test' })).status).toBe(202)
    await server.close()
    expect(mailServer.received).toEqual([])
  })

  it('logs why a mail was not taken, without the email and the code', async () => {
    const refusal = Object.assign(new Error(`no mailbox ${email}`), { responseCode: 550 })
    const { logger, post } = await given({}, { onRcptTo: (_, __, done) => done(refusal) })
    expect((await post('forgot', { email })).status).toBe(202)
    const lines = () => logger.entries.filter(({ event }) => event === 'code_not_delivered')
    await expect.poll(lines).toEqual([{ level: 'warn', event: 'code_not_delivered', fields: { reason: 'EENVELOPE_550' } }])
    expect(JSON.stringify(logger.entries)).not.toContain(email)
  })

  it('answers 404 without the settings of mails', async () => {
    const { post } = await given({ COUNTERSIGN_SMTP_URL: undefined, COUNTERSIGN_SMTP_FROM: undefined })
    expect((await post('forgot', { email })).status).toBe(404)
  })
})

describe('the page to which mails link', () => {
  const origins = ['android:apk-key-hash:x', 'https://app.example']
  const page = (env: Environment) => codePageOf({ ...readConfig(env), origins })

  it('is the approver at the first origin of pages', () => {
    expect(page({})).toBe('https://app.example/approve/#/password/')
    expect(page({ COUNTERSIGN_APPROVER_ORIGINS: 'https://approve.example' })).toBe('https://approve.example/approve/#/password/')
  })

  it('is the configured page', () => {
    const smtp = { COUNTERSIGN_SMTP_URL: 'smtps://mail.example', COUNTERSIGN_SMTP_FROM: 'a@example.com' }
    const own = 'https://app.example/password#code='
    expect(page({ ...smtp, COUNTERSIGN_SMTP_CODE_PAGE: own, COUNTERSIGN_APPROVER: 'off' })).toBe(own)
  })

  it('is none if the server does not serve the approver', () => {
    expect(page({ COUNTERSIGN_APPROVER: 'off' })).toBeUndefined()
    expect(page({ COUNTERSIGN_PARTS: 'identity' })).toBeUndefined()
  })
})
