import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import PostalMime, { type Email } from 'postal-mime'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'

/** A mail as a mail program reads it. */
export interface ReceivedMail extends Email {
  /** The bytes as they came, as text. */
  readonly raw: string
  readonly recipients: readonly string[]
  /** True if the connection was encrypted. */
  readonly secure: boolean
}

/** A real mail server on this machine. */
export interface MailServer {
  readonly port: number
  readonly received: readonly ReceivedMail[]
  close(): Promise<void>
}

/** Starts a mail server that takes every mail, unless the options say otherwise. Without options it offers no encryption. */
export const startMailServer = async (options: SMTPServerOptions = { disabledCommands: ['STARTTLS'] }): Promise<MailServer> => {
  const received: ReceivedMail[] = []
  const server = new SMTPServer({
    authOptional: true,
    // Nothing waits for connections that hang.
    closeTimeout: 1,
    onData: (stream, session, done) => {
      text(stream)
        .then(async (raw) => {
          const recipients = session.envelope.rcptTo.map(({ address }) => address)
          received.push({ ...(await PostalMime.parse(raw)), raw, recipients, secure: session.secure })
          done()
        })
        .catch(done)
    },
    ...options,
  })
  server.on('error', () => {})
  server.listen(0, '127.0.0.1')
  await once(server.server, 'listening')
  return {
    port: (server.server.address() as AddressInfo).port,
    received,
    close: () => new Promise((resolve) => server.close(resolve)),
  }
}
