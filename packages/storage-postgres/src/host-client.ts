import type { HostClient } from '@countersign/core/storage'
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
} from 'kysely'
import { refuseToStream } from './connection.ts'
import { valueTypes } from './connection-settings.ts'

/** The members by which a pool and a client of the driver `pg` differ, and the state of a client's transaction. */
interface DriverClient extends HostClient {
  readonly totalCount?: unknown
  getTransactionStatus?(): string | null
}

/** @throws TypeError for a pool, and for a client that is known to be outside of a transaction */
const requireClientInTransaction = (client: DriverClient): void => {
  if (typeof client?.query !== 'function') throw new TypeError('client must be a client of the driver pg')
  if (client.totalCount !== undefined) {
    throw new TypeError('client must be one client, taken from the pool with `pool.connect()`, not the pool itself')
  }
  if (client.getTransactionStatus?.() === 'I') {
    throw new TypeError('client must be inside a transaction: run `begin` on the client first')
  }
}

/** All Kysely instances of this file share one adapter, so that each prepared query is compiled once. */
const adapter = new PostgresAdapter()

const refuse = async (): Promise<never> => {
  throw new Error('The transaction belongs to the host')
}

/**
 * Kysely on a client of the host, in the transaction of the host. Statements are sent with their whole text, because a prepared
 * statement would stay in the session of the host. Values are read as our own connections read them, whatever parsers the host
 * has set. Errors of the client pass unchanged, so that the host can decide about a retry.
 *
 * @throws TypeError for another thing than a client inside a transaction
 */
export const hostClientDialect = (client: HostClient): Dialect => {
  requireClientInTransaction(client)
  let last: Promise<unknown> = Promise.resolve()
  const connection: DatabaseConnection = {
    executeQuery: async <R>({ sql: text, parameters }: CompiledQuery) => {
      // The driver wants one statement at a time on a client.
      const running = last.then(() => client.query({ text, values: [...parameters], types: valueTypes }))
      last = running.catch(() => {})
      return { rows: (await running).rows as R[] }
    },
    streamQuery: refuseToStream,
  }
  return {
    createDriver: () => ({
      init: async () => {},
      acquireConnection: async () => connection,
      releaseConnection: async () => {},
      beginTransaction: refuse,
      commitTransaction: refuse,
      rollbackTransaction: refuse,
      destroy: async () => {},
    }),
    createQueryCompiler: () => new PostgresQueryCompiler(),
    createAdapter: () => adapter,
    createIntrospector: (db) => new PostgresIntrospector(db),
  }
}
