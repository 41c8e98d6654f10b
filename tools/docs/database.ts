import { appendFileSync, existsSync, globSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { openPostgres } from '@countersign/storage-postgres'
import pg from 'pg'
import { certificate, certificateKey } from '../testing/certificate.ts'
import { freePort } from '../testing/free-port.ts'
import { account, giveToAccount, startPostgres, watchOver } from '../testing/start-postgres.ts'
import { type Block, kindOf, type Page, readDocuments } from './page.ts'
import { openShell, type Shell } from './shell.ts'

/** The programs of a complete PostgreSQL installation. The installation from npm lacks some of them. */
const PROGRAMS = ['initdb', 'postgres', 'pg_ctl', 'pg_basebackup', 'pg_dump', 'pg_restore', 'createdb']

/** The program folder of a complete PostgreSQL on this machine, on PATH or where Debian keeps it. PATH may have links to it. */
export const programs = [...(process.env.PATH ?? '').split(delimiter), ...globSync('/usr/lib/postgresql/*/bin')]
  .map((folder) => join(folder, 'pg_basebackup'))
  .filter(existsSync)
  .map((program) => dirname(realpathSync(program)))
  .find((folder) => PROGRAMS.every((program) => existsSync(join(folder, program))))

/** Returns whether a block belongs to a terminal on the database machine: `on=database`. */
export const isOnDatabase = ({ marks }: Block): boolean => marks.get('on') === 'database'

/** The machine that pages call `db.example`, or `db1.example` with its standby `db2.example`. */
export interface Database {
  /** Replaces the addresses of the page by the actual addresses, and adds omitted passwords. */
  readonly adapt: (text: string) => string
  /**
   * Runs each statement of a block in the database that `database=` names. A comment after a query, `-- a | b`, is its last
   * row; the method waits for it. Rejects with the errors of PostgreSQL.
   */
  readonly query: (block: Block) => Promise<void>
  /** The environment of clients, in addition to the address. */
  readonly env: NodeJS.ProcessEnv
  /**
   * Opens a terminal on the machine, with the programs of PostgreSQL. Its `PGDATA` is the data directory of a second server.
   */
  readonly openShell: () => Shell
  readonly remove: () => Promise<void>
}

const ADDRESS = /@db\.example|\bdb1?\.example(?::\d+)?/
/** The page that creates the role and the database. Other pages refer to it. */
const MADE_BY = 'docs/operations/postgresql.md'

/** Returns whether readers of the page need a PostgreSQL server. */
export const needsDatabase = ({ blocks }: Page): boolean =>
  blocks.some((block) => block.language === 'sql' || isOnDatabase(block) || (kindOf(block) === 'run' && ADDRESS.test(block.text)))

const isMakingIt = ({ language, text }: Block): boolean => language === 'sql' && text.includes('create database countersign')

/** Matches a statement, which ends with its line, and the comment after it. */
const STATEMENT = /([\s\S]+?;)[ \t]*(?:--[ \t]*(.*))?(?:\n|$)/g

/** Milliseconds to wait for a row: a standby needs a moment to catch up. */
const LONGEST_WAIT = 30_000

const follow = async (client: pg.Client, statement: string, shown: string | undefined): Promise<void> => {
  const deadline = Date.now() + LONGEST_WAIT
  for (;;) {
    const { rows } = await client.query<unknown[]>({ text: statement, rowMode: 'array' })
    const given = (rows.at(-1) ?? []).join(' | ')
    if (shown === undefined || given === shown) return
    if (Date.now() > deadline) throw new Error(`${statement} gives ${given}, not ${shown}`)
    await pause(100)
  }
}

/** Settings that a copy of the data directory includes, so that the copy can start while its server runs. */
const settingsOfCopies = (port: number): string =>
  `port = ${port}\nlisten_addresses = '127.0.0.1'\nunix_socket_directories = ''\nmax_connections = 300\nfsync = off\n`

/** Starts a server for a page, with the role and the database of Countersign, unless the page creates them itself. */
export const startDatabase = async (page: Page): Promise<Database> => {
  const directory = mkdtempSync(join(tmpdir(), 'countersign-docs-database-'))
  const [certificateFile, keyFile] = [join(directory, 'server.crt'), join(directory, 'server.key')]
  writeFileSync(certificateFile, certificate)
  writeFileSync(keyFile, certificateKey, { mode: 0o600 })
  giveToAccount(directory)
  const server = await startPostgres({
    programs,
    settings: { ssl: 'on', ssl_cert_file: certificateFile, ssl_key_file: keyFile },
  })
  const second = await freePort()
  appendFileSync(join(server.directory, 'postgresql.conf'), settingsOfCopies(second))
  const data = join(directory, 'base')
  mkdirSync(join(directory, '.blocks'))
  giveToAccount(directory)
  const watch = watchOver(data, directory)
  const url = new URL(server.url)
  const urlOf = (user: string, database: string): string => `postgres://${user}:secret@${url.host}/${database}`

  const adapt = (text: string): string =>
    text
      .replaceAll('…', 'secret')
      .replaceAll(/\bdb2\.example(?::\d+)?/g, `localhost:${second}`)
      .replaceAll(/\bdb1?\.example(?::\d+)?/g, `localhost:${url.port}`)
      .replaceAll('/backup/base', data)

  const query = async ({ text, marks }: Block): Promise<void> => {
    const client = new pg.Client({ connectionString: urlOf(url.username, marks.get('database') ?? 'postgres') })
    await client.connect()
    try {
      for (const [, statement = '', shown] of adapt(text).matchAll(STATEMENT)) await follow(client, statement, shown)
    } finally {
      await client.end()
    }
  }

  if (!page.blocks.some(isMakingIt)) {
    const maker = readDocuments().find(({ path }) => path === MADE_BY)
    for (const block of maker?.blocks.filter(isMakingIt) ?? []) await query(block)
    const storage = await openPostgres({ url: urlOf('countersign', 'countersign') })
    await storage.migrate()
    await storage.close()
  }

  const envThere = {
    PATH: [programs, process.env.PATH].filter((folder) => folder !== undefined).join(delimiter),
    PGHOST: url.hostname,
    PGPORT: url.port,
    PGUSER: url.username,
    PGDATA: data,
    COUNTERSIGN_DATABASE_URL: urlOf('countersign', 'countersign'),
  }
  return {
    adapt,
    query,
    env: { NODE_EXTRA_CA_CERTS: certificateFile },
    openShell: () => openShell({ directory, env: envThere, account }),
    remove: async () => {
      // The end of its input ends the watcher, and with it the second server, if the page has started one.
      watch.stdin?.end()
      await new Promise((resolve) => watch.once('exit', resolve))
      rmSync(directory, { recursive: true, force: true })
      await server.remove()
    },
  }
}
