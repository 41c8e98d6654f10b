import type { DeliverCode, Milliseconds } from '@countersign/core'
import type { Mail, SMTPSentMessageInfo, SMTPTransportOptions } from 'nodemailer'
import { isLoopbackHost } from '../../config/serve-refusals.ts'
import { failureCode } from '../../startup-error.ts'
import { type CodeMailTemplate, codeMail } from './code-mail.ts'

export interface SmtpServer {
  /** `smtps://`, or `smtp://` with STARTTLS. Only to this machine without encryption. May contain a user and a password. */
  readonly url: string
  /** The milliseconds that a delivery may take; 30 seconds by default. */
  readonly timeout?: Milliseconds
}

export interface SmtpDelivery extends SmtpServer {
  /** The sender, such as `Example <no-reply@example.com>`. */
  readonly from: string
  /** Returns the page that takes a code, from the configuration and never from a request; `undefined` if there is none. */
  readonly linkTo: (code: string) => string | undefined
  /** Makes the mail; in five languages by default. */
  readonly template?: CodeMailTemplate
}

/** A mail was not sent. Has no message of the mail server, because that may contain the address. */
export class MailNotSent extends Error {
  override readonly name = 'MailNotSent'
  /** The reason, such as `EAUTH`, or `EENVELOPE_550` if the mail server answered 550. */
  readonly code: string

  constructor(code: string) {
    super(`The mail was not sent: ${code}`)
    this.code = code
  }
}

const reasonOf = (error: unknown): string => {
  const { name, originalCode, responseCode } = Object(error) as Partial<Record<'name' | 'originalCode' | 'responseCode', unknown>>
  const code = name === 'AbortError' ? 'ETIMEDOUT' : typeof originalCode === 'string' ? originalCode : failureCode(error)
  return typeof responseCode === 'number' ? `${code}_${responseCode}` : code
}

const TIMEOUT: Milliseconds = 30_000

/** Opens the transport while `work` runs. The library is loaded here, because most servers send no mail. */
const withTransport = async <T>(
  { url, timeout = TIMEOUT }: SmtpServer,
  work: (transport: Mail<SMTPSentMessageInfo, SMTPTransportOptions>) => Promise<T>,
): Promise<T> => {
  const { protocol, hostname, port, username, password } = new URL(url)
  const host = hostname.replace(/^\[|\]$/g, '')
  const secure = protocol === 'smtps:'
  const isLocal = isLoopbackHost(host)
  const { createTransport } = await import('nodemailer')
  const transport = createTransport({
    host,
    port: port === '' ? (secure ? 465 : 587) : Number(port),
    secure,
    requireTLS: !secure && !isLocal,
    ignoreTLS: !secure && isLocal,
    ...(username !== '' && { auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) } }),
    dnsTimeout: timeout,
    connectionTimeout: timeout,
    greetingTimeout: timeout,
    socketTimeout: timeout,
    // A template of a host must not read files or fetch addresses.
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  const refuse = (error: unknown): never => {
    throw new MailNotSent(reasonOf(error))
  }
  return work(transport)
    .catch(refuse)
    .finally(() => transport.close())
}

/** Says to programs that answer mails, such as notes of an absence, that no person sent the mail. */
const automatic = { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' }

/** Reads `Example <no-reply@example.com>` without the rules of lists, in which a comma would begin another sender. */
const senderOf = (from: string): { readonly name: string; readonly address: string } => {
  const [, name = '', address = from] = /^(.*) <(.*)>$/.exec(from) ?? []
  return { name, address }
}

/** Returns a `deliverCode` that mails each code over a connection of its own. It rejects with `MailNotSent`. */
export const smtpDelivery = ({ from, linkTo, template = codeMail, ...server }: SmtpDelivery): DeliverCode => {
  const sender = senderOf(from)
  return ({ email, kind, code, expiresAt, languages }) =>
    withTransport(server, async (transport) => {
      const { subject, text, html } = template({ kind, code, expiresAt, languages, link: linkTo(code) })
      await transport.sendMail({
        from: sender,
        // An object, so that no part of the address counts as a name or as a list.
        to: { name: '', address: email },
        subject,
        text,
        html,
        headers: automatic,
        signal: AbortSignal.timeout(server.timeout ?? TIMEOUT),
      })
    })
}

/** Connects to a mail server and signs in, without sending a mail. @throws MailNotSent */
export const checkSmtp = (server: SmtpServer): Promise<void> =>
  withTransport(server, async (transport) => void (await transport.verify()))
