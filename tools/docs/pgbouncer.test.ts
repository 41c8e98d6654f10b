import type { AddressInfo } from 'node:net'
import { createServer, type Socket } from 'node:net'
import { openPostgres } from '@countersign/storage-postgres'
import { expect, test } from 'vitest'
import { readDocuments } from './page.ts'

/** The parameters that PgBouncer tracks for each client (its manual, `track_extra_parameters`). */
const KNOWN = ['user', 'database', 'application_name', 'client_encoding', 'DateStyle', 'TimeZone', 'standard_conforming_strings']

/**
 * Returns the parameter names in the first message of a connection (PostgreSQL, "Message Formats", StartupMessage): length,
 * version, pairs.
 */
const namesIn = (message: Buffer): readonly string[] =>
  message
    .subarray(8, message.readUInt32BE(0))
    .toString('utf8')
    .split('\0')
    .filter((_, index) => index % 2 === 0)
    .filter((name) => name !== '')

/** Returns the parameters that our server sends when it connects. */
const sentParameters = async (): Promise<readonly string[]> => {
  const first = Promise.withResolvers<Buffer>()
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    socket.once('data', (message) => {
      first.resolve(message)
      socket.destroy()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  try {
    const opened = openPostgres({ url: `postgres://countersign@127.0.0.1:${port}/countersign` })
    void opened.then(
      (storage) =>
        storage
          .ping()
          .catch(() => {})
          .then(() => storage.close()),
      () => {},
    )
    return namesIn(await first.promise)
  } finally {
    for (const socket of sockets) socket.destroy()
    server.close()
  }
}

test('the page tells PgBouncer to ignore every parameter that it does not know and our server sends', async () => {
  const settings = readDocuments()
    .flatMap(({ blocks }) => blocks)
    .find(({ language, text }) => language === 'ini' && text.includes('[pgbouncer]'))
  const left = /^ignore_startup_parameters = (.*)$/m.exec(settings?.text ?? '')?.[1]?.split(',') ?? []
  const sent = await sentParameters()
  expect(sent).toContain('statement_timeout')
  expect(sent.filter((name) => !KNOWN.includes(name) && !left.includes(name))).toEqual([])
})
