import { appendFileSync, existsSync, globSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { openPostgres } from '@countersign/storage-postgres'
import pg from 'pg'
import { expect } from 'vitest'
import { certificate, certificateKey } from '../../testing/certificate.ts'
import { freePort } from '../../testing/free-port.ts'
import { account, giveToAccount, startPostgres, watchOver } from '../../testing/start-postgres.ts'
import { type Block, kindOf, type Page, readDocuments } from '../page.ts'

/** The program folder of a complete PostgreSQL on this machine, on PATH or where Debian keeps it. PATH may have links to it. */
export const programs = [...(process.env.PATH ?? '').split(delimiter), ...globSync('/usr/lib/postgresql/*/bin')]
  .map((folder) => join(folder, 'pg_basebackup'))
  .filter(existsSync)
  .map((program) => dirname(realpathSync(program)))
  .find((folder) => ['initdb', 'postgres', 'pg_ctl', 'pg_dump', 'createdb'].every((name) => existsSync(join(folder, name))))

/** Returns whether a block belongs to a terminal on the database machine: `on=database`. */
export const isOnDatabase = ({ marks }: Block): boolean => marks.get('on') === 'database'

const ADDRESS = /@db\.example|\bdb1?\.example(?::\d+)?/

/** Returns whether readers of the page need a PostgreSQL server. */
export const needsDatabase = ({ blocks }: Page): boolean =>
  blocks.some((block) => block.language === 'sql' || isOnDatabase(block) || (kindOf(block) === 'run' && ADDRESS.test(block.text)))

const isMakingIt = ({ language, text }: Block): boolean => language === 'sql' && text.includes('create database countersign')

/** Matches a statement, which ends with its line, and the comment after it. */
const STATEMENT = /([\s\S]+?;)[ \t]*(?:--[ \t]*(.*))?(?:\n|$)/g

/** Starts the machine that pages call `db.example`, or `db1.example` with its standby `db2.example`. */
export const startDatabase = async (page: Page) => {
  const directory = mkdtempSync(join(tmpdir(), 'countersign-docs-database-'))
  const [certificateFile, keyFile] = [join(directory, 'server.crt'), join(directory, 'server.key')]
  writeFileSync(certificateFile, certificate)
  writeFileSync(keyFile, certificateKey, { mode: 0o600 })
  giveToAccount(directory)
  const settings = { ssl: 'on', ssl_cert_file: certificateFile, ssl_key_file: keyFile }
  const server = await startPostgres({ programs, settings })
  const second = await freePort()
  // A copy of the data directory includes these settings, and so can start while its server runs.
  const ofCopies = ["listen_addresses = '127.0.0.1'", "unix_socket_directories = ''", 'max_connections = 300', 'fsync = off']
  appendFileSync(join(server.directory, 'postgresql.conf'), [`port = ${second}`, ...ofCopies, ''].join('\n'))
  const data = join(directory, 'base')
  const watch = watchOver(data, directory)
  const url = new URL(server.url)
  const urlOf = (user: string, database: string): string => `postgres://${user}:secret@${url.host}/${database}`

  /** Replaces the addresses of the page by the actual addresses, and adds omitted passwords. */
  const adapt = (text: string): string =>
    text
      .replaceAll('…', 'secret')
      .replaceAll(/\bdb2\.example(?::\d+)?/g, `localhost:${second}`)
      .replaceAll(/\bdb1?\.example(?::\d+)?/g, `localhost:${url.port}`)
      .replaceAll('/backup/base', data)

  /** Runs statements in the database of `database=`. A comment after a query, `-- a b`, is its last row, on a standby soon. */
  const query = async ({ text, marks }: Block): Promise<void> => {
    const client = new pg.Client({ connectionString: urlOf(url.username, marks.get('database') ?? 'postgres') })
    await client.connect()
    try {
      for (const [, statement = '', shown] of adapt(text).matchAll(STATEMENT)) {
        const lastRow = async () => {
          const { rows } = await client.query<unknown[]>({ text: statement, rowMode: 'array' })
          return rows.at(-1)?.join(' | ')
        }
        if (shown === undefined) await lastRow()
        else await expect.poll(lastRow).toBe(shown)
      }
    } finally {
      await client.end()
    }
  }

  if (!page.blocks.some(isMakingIt)) {
    for (const block of readDocuments().flatMap(({ blocks }) => blocks.filter(isMakingIt))) await query(block)
    const storage = await openPostgres({ url: urlOf('countersign', 'countersign') })
    await storage.migrate()
    await storage.close()
  }

  const envThere = {
    PATH: `${programs}${delimiter}${process.env.PATH}`,
    PGHOST: url.hostname,
    PGPORT: url.port,
    PGUSER: url.username,
    PGDATA: data,
    COUNTERSIGN_DATABASE_URL: urlOf('countersign', 'countersign'),
  }
  return {
    adapt,
    query,
    /** The environment of clients, in addition to the address. */
    env: { NODE_EXTRA_CA_CERTS: certificateFile },
    /** A terminal on the machine, with the programs of PostgreSQL. Its `PGDATA` is the data directory of a second server. */
    seat: { directory, env: envThere, account },
    remove: async (): Promise<void> => {
      // The end of its input ends the watcher, and with it the second server, if the page has started one.
      watch.stdin?.end()
      await new Promise((resolve) => watch.once('exit', resolve))
      rmSync(directory, { recursive: true, force: true })
      await server.remove()
    },
  }
}
