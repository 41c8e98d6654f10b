import type { HostClient } from '@countersign/core'
import { OtherIsolationLevel } from '@countersign/core/storage'
import {
  type CompiledQuery,
  type DatabaseConnection,
  DeleteQueryNode,
  type Dialect,
  InsertQueryNode,
  type PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  UpdateQueryNode,
} from 'kysely'
import type { StatedClient } from './clients/index.ts'
import { refuseToStream } from './connection.ts'

/** A client; or by mistake a pool of the driver `pg`, which has the member `totalCount`. */
type GivenClient = StatedClient & { readonly totalCount?: unknown }

const OUTSIDE = 'client must be inside a transaction that the host has begun'

/** @throws TypeError for a pool, and for a client that is known to be outside of a transaction */
const requireClientInTransaction = (client: GivenClient): void => {
  if (typeof client?.query !== 'function') throw new TypeError('client must be a client of PostgreSQL')
  if (client.totalCount !== undefined) {
    throw new TypeError('client must be one client, taken from the pool with `pool.connect()`, not the pool itself')
  }
  if (client.getTransactionStatus?.() === 'I') throw new TypeError(OUTSIDE)
}

/** Comes before the rows, so that no plugin of the host mistakes the text for JSON to parse. */
const MARK = '='

/** Returns a statement that answers with all rows as one JSON text, which no parser or plugin of the host changes. */
const asOneText = (text: string, returns: boolean): string => `
  with answered as (${text}${returns ? '' : ' returning 1 as one'})
  select ('${MARK}' || coalesce(json_agg(answered)::text, '[]'))::bpchar as answer from answered`

/** Returns the only value of the only row, whatever the host calls its column. */
const onlyValueOf = ({ rows }: { readonly rows: readonly unknown[] }): unknown => Object.values(rows?.[0] ?? {})[0]

const rowsOf = (answer: { readonly rows: readonly unknown[] }): readonly unknown[] => {
  const value = onlyValueOf(answer)
  if (typeof value === 'string' && value.startsWith(MARK)) return JSON.parse(value.slice(MARK.length)) as unknown[]
  throw new TypeError('client must resolve with { rows }, and must not change the texts that PostgreSQL sends')
}

/**
 * The errors of a database without our tables: SQLSTATE 42P01 and 3F000, and errors of MySQL and SQLite. Knex, Kysely and TypeORM
 * pass the code on, Drizzle as the cause, and Prisma inside of an error of its adapter.
 */
const OTHER_DATABASE = /^(42P01$|3F000$|ER_|(ERR_)?SQLITE_)/

interface LibraryError {
  readonly code?: unknown
  readonly originalCode?: unknown
  readonly cause?: unknown
  readonly meta?: { readonly driverAdapterError?: unknown }
}

const isOfOtherDatabase = (error: unknown): boolean => {
  if (typeof error !== 'object' || error === null) return false
  const { code, originalCode = code, cause, meta } = error as LibraryError
  return OTHER_DATABASE.test(String(originalCode)) || isOfOtherDatabase(meta?.driverAdapterError ?? cause)
}

const failed = (cause: unknown): never => {
  if (!isOfOtherDatabase(cause)) throw cause
  throw new TypeError('client must be a transaction of the database that has the tables of Countersign', { cause })
}

/** Compares the transactions of two statements, for a client that does not know whether it is inside a transaction. */
const requireSameTransaction = async (client: HostClient): Promise<void> => {
  const transaction = async () => onlyValueOf(await client.query('select pg_current_xact_id()::text::bpchar as id', []))
  const first = await transaction()
  if (first === undefined || (await transaction()) !== first) throw new TypeError(OUTSIDE)
}

/** Checks the transaction. Above READ COMMITTED, it would not see what others committed since, such as a stricter policy. */
const requireTransaction = async (client: GivenClient): Promise<void> => {
  if (client.getTransactionStatus === undefined) await requireSameTransaction(client)
  const [row] = rowsOf(await client.query(asOneText(`select current_setting('transaction_isolation') as level`, true), []))
  if ((row as { readonly level: string }).level !== 'read committed') throw new OtherIsolationLevel()
}

const refuse = async (): Promise<never> => {
  throw new Error('The transaction belongs to the host')
}

/**
 * Kysely in the transaction of a host's client. Statements are sent with their whole text, because a prepared one would stay in the
 * session of the host. Errors pass unchanged, so that the host can decide about a retry, except for those of another database.
 * `adapter` is the same object for all clients of a schema, for which each prepared query is compiled once.
 * @throws TypeError for anything but a client inside a transaction
 */
export const hostClientDialect = (client: GivenClient, adapter: PostgresAdapter): Dialect => {
  requireClientInTransaction(client)
  let begun: Promise<void> | undefined
  let last: Promise<unknown> = Promise.resolve()
  const connection: DatabaseConnection = {
    executeQuery: async <R>({ query, sql: text, parameters }: CompiledQuery) => {
      const writes = InsertQueryNode.is(query) || UpdateQueryNode.is(query) || DeleteQueryNode.is(query)
      const returns = !writes || query.returning !== undefined
      // The driver wants one statement at a time on a client.
      const running = last
        .then(async () => {
          begun ??= requireTransaction(client)
          await begun
          return client.query(asOneText(text, returns), [...parameters] as (string | number | null)[])
        })
        .catch(failed)
      last = running.catch(() => {})
      const rows = rowsOf(await running) as R[]
      return { rows, ...(writes && { numAffectedRows: BigInt(rows.length) }) }
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
