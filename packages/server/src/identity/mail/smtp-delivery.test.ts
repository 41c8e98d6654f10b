import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import type { CodeDelivery } from '@countersign/core'
import type { SMTPServerOptions } from 'smtp-server'
import { afterEach, describe, expect, it } from 'vitest'
import { certificate, certificateKey } from '../../../../../tools/testing/certificate.ts'
import { type MailServer, startMailServer } from '../../testing/mail-server.ts'
import { trustCertificate } from '../../testing/trust-certificate.ts'
import { checkSmtp, MailNotSent, type SmtpDelivery, smtpDelivery } from './smtp-delivery.ts'

const code = '7Q8ZN4T2R5V9XABCDEFGHJKM12'
const page = 'https://auth.a-rather-long-name-of-a-company.example.com/approve/#/password/'
const link = `${page}${code}`

const delivery = (more: Partial<CodeDelivery> = {}): CodeDelivery => ({
  userId: 1,
  email: 'ada@example.com',
  kind: 'forgot',
  code,
  expiresAt: Date.UTC(2026, 10, 29, 12),
  languages: ['en'],
  ...more,
})

const closers: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closers.splice(0)) await close()
})

const start = async (...options: Parameters<typeof startMailServer>): Promise<MailServer> => {
  const server = await startMailServer(...options)
  closers.push(server.close)
  return server
}

const tls = { cert: certificate, key: certificateKey }

const deliverTo = (url: string, more: Partial<SmtpDelivery> = {}) =>
  smtpDelivery({ url, from: 'Example, Inc. <no-reply@example.com>', linkTo: (sent) => `${page}${sent}`, ...more })

const refuse: SMTPServerOptions['onRcptTo'] = (_, __, done) =>
  done(Object.assign(new Error('no such mailbox <ada@example.com>'), { responseCode: 550 }))

const failureOf = async (work: unknown): Promise<MailNotSent> => {
  const error: unknown = await Promise.resolve(work).catch((thrown: unknown) => thrown)
  if (!(error instanceof MailNotSent)) throw new Error('the delivery did not fail')
  return error
}

describe('a mail with a code', () => {
  it.each([
    ['en', 'en', 'Your code for a new password'],
    ['de-CH', 'de', 'Ihr Code für ein neues Passwort'],
    ['fr', 'fr', 'Votre code pour un nouveau mot de passe'],
    ['es', 'es', 'Su código para una contraseña nueva'],
    ['ar', 'ar', 'رمزك لكلمة مرور جديدة'],
    ['it', 'en', 'Your code for a new password'],
  ])('for %s is in %s, and has the code and the link unbroken in both parts', async (asked, language, subject) => {
    const server = await start()
    await deliverTo(`smtp://127.0.0.1:${server.port}`)(delivery({ languages: [asked] }))
    const [mail] = server.received
    expect(server.received).toHaveLength(1)
    expect(mail).toMatchObject({ subject, recipients: ['ada@example.com'] })
    expect(mail?.text?.split('\n').filter((line) => line.includes(code))).toEqual([code, link])
    expect(mail?.html).toContain(`<html lang="${language}" dir="${language === 'ar' ? 'rtl' : 'ltr'}">`)
    expect(mail?.html).toContain(`href="${link}"`)
    expect(mail?.html).toContain(`>${code}<`)
    expect(mail?.html).toContain(`>${link}<`)
  })

  it('names one sender, has an id and a date, and asks programs not to answer', async () => {
    const server = await start()
    await deliverTo(`smtp://127.0.0.1:${server.port}`)(delivery())
    const [mail] = server.received
    expect(mail?.from).toMatchObject({ name: 'Example, Inc.', address: 'no-reply@example.com' })
    expect(mail?.messageId).toMatch(/@example\.com>$/)
    expect(mail?.date).toBeDefined()
    expect(mail?.headers).toContainEqual(expect.objectContaining({ key: 'auto-submitted', value: 'auto-generated' }))
    expect(mail?.headers).toContainEqual(expect.objectContaining({ key: 'x-auto-response-suppress', value: 'All' }))
  })

  it('invites with other words, and has no link if no page takes codes', async () => {
    const server = await start()
    const deliver = deliverTo(`smtp://127.0.0.1:${server.port}`, { linkTo: () => undefined })
    await deliver(delivery({ kind: 'invitation' }))
    const [mail] = server.received
    expect(mail?.subject).toBe('Your invitation')
    expect(mail?.text).toContain(code)
    expect(`${mail?.text}${mail?.html}`).not.toMatch(/http|<a/)
  })

  it('has the words of a template of the host', async () => {
    const server = await start()
    const template: SmtpDelivery['template'] = ({ kind, link: to }) => ({
      subject: `Acme: ${kind}`,
      text: `${to}`,
      html: `<p>${to}`,
    })
    await deliverTo(`smtp://127.0.0.1:${server.port}`, { template })(delivery())
    expect(server.received[0]).toMatchObject({ subject: 'Acme: forgot', text: `${link}\n` })
  })

  it.each([
    'ada@example.com\r\nBcc: thief@example.com',
    'ada@example.com, thief@example.com',
    'ada@example.com>, <thief@example.com',
    'thief@example.com (ada@example.com)',
  ])('goes to nobody else than the account: %j', async (email) => {
    const server = await start()
    await Promise.resolve(deliverTo(`smtp://127.0.0.1:${server.port}`)(delivery({ email }))).catch(() => undefined)
    for (const { recipients, headers } of server.received) {
      expect(recipients).not.toContain('thief@example.com')
      expect(recipients).toHaveLength(1)
      expect(headers.map(({ key }) => key)).not.toContain('bcc')
    }
  })

  it('reaches an address with letters of other languages', async () => {
    const server = await start()
    await deliverTo(`smtp://127.0.0.1:${server.port}`)(delivery({ email: 'käthe@bücher.example' }))
    expect(server.received[0]?.recipients).toEqual(['käthe@bücher.example'])
  })
})

// The address 0.0.0.0 is this machine, but does not count as loopback.
describe('the connection to a mail server', () => {
  it('is encrypted with STARTTLS and signs in, with a name and a password of any characters', async () => {
    const signedIn: (string | null)[] = []
    const server = await start({
      ...tls,
      authOptional: false,
      onAuth: ({ username = '', password = '' }, _, done) => {
        signedIn.push(username, password)
        done(null, { user: username })
      },
    })
    closers.push(trustCertificate(certificate))
    const url = `smtp://me%40example.com:p%3A%2Fw@0.0.0.0:${server.port}`
    await deliverTo(url)(delivery())
    expect(server.received).toMatchObject([{ secure: true }])
    expect(signedIn).toEqual(['me@example.com', 'p:/w'])
  })

  it('is encrypted from the start with smtps', async () => {
    const server = await start({ ...tls, secure: true })
    closers.push(trustCertificate(certificate))
    await deliverTo(`smtps://localhost:${server.port}`)(delivery())
    await checkSmtp({ url: `smtps://localhost:${server.port}` })
    expect(server.received).toMatchObject([{ secure: true }])
  })

  it.each([
    ['that offers no STARTTLS', { disabledCommands: ['STARTTLS'] }, 'smtp://0.0.0.0', /^ETLS/],
    ['whose certificate nobody trusts', tls, 'smtp://0.0.0.0', /^DEPTH_ZERO_SELF_SIGNED_CERT$/],
    ['that speaks no TLS, with smtps', {}, 'smtps://127.0.0.1', /./],
  ])('to a server %s sends nothing', async (_, options, url, reason) => {
    const server = await start(options)
    const failure = await failureOf(deliverTo(`${url}:${server.port}`)(delivery()))
    expect(failure.code).toMatch(reason)
    expect(server.received).toEqual([])
    await expect(checkSmtp({ url: `${url}:${server.port}` })).rejects.toThrow(MailNotSent)
  })

  it.each([
    ['greets nobody', ''],
    ['answers one command and hangs', '220 mail.example.com ESMTP\r\n'],
  ])('to a server that %s ends in time', async (_, greeting) => {
    const server = createServer((socket) => socket.on('error', () => {}).write(greeting)).listen(0, '127.0.0.1')
    closers.push(() => server.close())
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    const failure = await failureOf(deliverTo(`smtp://127.0.0.1:${port}`, { timeout: 300 })(delivery()))
    expect(failure.code).toBe('ETIMEDOUT')
  })

  it.each([
    ['the recipient', { onRcptTo: refuse }],
    ['the sender', { onMailFrom: refuse }],
  ])('reports that the server refuses %s, without the address and the code', async (_, options) => {
    const server = await start({ disabledCommands: ['STARTTLS'], ...options })
    const failure = await failureOf(deliverTo(`smtp://127.0.0.1:${server.port}`)(delivery()))
    expect(failure).toMatchObject({ code: 'EENVELOPE_550' })
    expect(failure.cause).toBeUndefined()
    expect(`${failure.stack} ${JSON.stringify(failure)}`).not.toMatch(/ada@|7Q8ZN/)
  })

  it('reports that nothing listens', async () => {
    const server = await start()
    await closers.pop()?.()
    const failure = await failureOf(deliverTo(`smtp://127.0.0.1:${server.port}`)(delivery()))
    expect(failure.code).toBe('ECONNREFUSED')
  })
})
