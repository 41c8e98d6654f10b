import { chownSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { certificate, certificateKey } from '../../../tools/testing/certificate.ts'
import { type PostgresServer, startPostgres } from '../../../tools/testing/start-postgres.ts'
import { openPostgres } from '../src/index.ts'
import { connect, open } from './open-migrated.ts'

let server: PostgresServer
/** The path of the trusted certificate. */
let trusted: string

beforeAll(async () => {
  server = await startPostgres()
  const { uid, gid } = statSync(server.directory)
  for (const [name, text] of [
    ['server.crt', certificate],
    ['server.key', certificateKey],
  ] as const) {
    const path = join(server.directory, name)
    writeFileSync(path, text, { mode: 0o600 })
    chownSync(path, uid, gid)
  }
  trusted = join(server.directory, 'server.crt')
})
afterAll(() => server?.remove())

const urlOf = (host: string, parameters: Readonly<Record<string, string>>): string =>
  `postgres://postgres@${host}:${server.port}/postgres?${new URLSearchParams(parameters)}`

describe('a PostgreSQL server without encryption', () => {
  it.each(['require', 'verify-full'])('is refused when encryption is required: sslmode=%s', async (sslmode) => {
    await expect(openPostgres({ url: urlOf('localhost', { sslmode }) })).rejects.toThrow('does not support SSL')
  })
})

describe('a PostgreSQL server with encryption', () => {
  beforeAll(async () => {
    const client = new pg.Client({ connectionString: server.url })
    await client.connect()
    await client.query('alter system set ssl = on')
    await client.query('select pg_reload_conf()')
    while ((await client.query('show ssl')).rows[0]?.ssl !== 'on') await pause(20)
    await client.end()
  })

  it.each(['prefer', 'require', 'verify-ca', 'verify-full'])(
    'is refused when its certificate is not trusted: sslmode=%s',
    async (sslmode) => {
      await expect(openPostgres({ url: urlOf('localhost', { sslmode }) })).rejects.toThrow(
        'the server signed its certificate itself; sslrootcert=FILE names the certificate (DEPTH_ZERO_SELF_SIGNED_CERT)',
      )
    },
  )

  it('is refused when its certificate names another host', async () => {
    const url = urlOf('127.0.0.1', { sslmode: 'require', sslrootcert: trusted })
    await expect(openPostgres({ url })).rejects.toThrow(
      'the certificate of the server names another host than the URL (ERR_TLS_CERT_ALTNAME_INVALID)',
    )
  })

  it.each([
    ['verified', 'localhost', () => ({ sslmode: 'require', sslrootcert: trusted })],
    ['with any certificate on request (no-verify)', '127.0.0.1', () => ({ sslmode: 'no-verify' })],
    ['with any certificate, as libpq does', '127.0.0.1', () => ({ sslmode: 'require', uselibpqcompat: 'true' })],
  ] as const)('is reached by every connection with encryption, %s', async (_, host, parameters) => {
    const storage = await open(urlOf(host, parameters()))
    await storage.migrate()
    // The first status query opens the listening connection.
    await storage.sessions.status('nobody')
    const client = await connect(server.url)
    const connections = async () =>
      (
        await client.query<{ name: string; ssl: boolean }>(
          `select application_name as name, bool_and(ssl) as ssl from pg_stat_activity join pg_stat_ssl using (pid)
           where application_name like 'countersign%' group by 1 order by 1`,
        )
      ).rows
    await expect.poll(connections).toStrictEqual([
      { name: 'countersign', ssl: true },
      { name: 'countersign-listener', ssl: true },
    ])
  })
})
