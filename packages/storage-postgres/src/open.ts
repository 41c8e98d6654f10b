import { type MigratedStorage, Unavailable } from '@countersign/core/storage'
import { createStorage } from '@countersign/storage-sql'
import { changeFeed } from './changes/change-feed.ts'
import { connectionSettings } from './connection-settings.ts'
import { features } from './dialect-features.ts'
import { postgresEngine } from './engine.ts'
import { OperatorError } from './operator-error.ts'
import { createPool } from './pool.ts'
import { connector } from './servers/connector.ts'
import { readServers, type Servers } from './servers/read-servers.ts'

/** Which database `openPostgres` opens, and with how many connections. */
export interface PostgresOptions {
  /**
   * `postgres://user:password@host:port/database`, with what parameters the driver `pg` takes. It may name several hosts,
   * with commas between them, of which the one is used that can be written to (libpq's `target_session_attrs`).
   */
  readonly url: string
  /** Connections for statements that are open at most; 10 where nothing is said. One more listens. */
  readonly poolSize?: number
}

const DEFAULT_POOL_SIZE = 10

/**
 * Opens a storage on a PostgreSQL database, which any number of processes may share. No call hangs: where the server does
 * not answer, it rejects with `Unavailable` within seconds, and works again once the server is back.
 *
 * @throws Unavailable where the database cannot be reached; the message never holds the password
 */
export const openPostgres = async ({ url, poolSize = DEFAULT_POOL_SIZE }: PostgresOptions): Promise<MigratedStorage> => {
  let servers: Servers | undefined
  try {
    servers = readServers(url)
    return await openOn(servers, poolSize)
  } catch (error) {
    const place = servers === undefined ? '' : ` ${servers.place}`
    throw new Unavailable(`The PostgreSQL database${place} cannot be opened: ${reasonOf(error)}`, { cause: error })
  }
}

const openOn = async (servers: Servers, poolSize: number): Promise<MigratedStorage> => {
  const chosen = connector(servers, connectionSettings)
  const pool = createPool(chosen, poolSize)
  const engine = postgresEngine(chosen, pool)
  const feed = changeFeed(chosen, pool.recheckAll)
  const close = async () => {
    await feed.close()
    await engine.close()
  }
  const storage = createStorage({ engine: { ...engine, close }, features, feed })
  try {
    await storage.ping()
    return storage
  } catch (error) {
    await storage.close()
    throw asTold(error)
  }
}

/** How the driver says that the server refused encryption. It gives it no code. */
const NOT_ENCRYPTED = 'The server does not support SSL connections'

/** The driver's refusal, whose words are always the same and so may be told. */
const asTold = (error: unknown): unknown =>
  reasonOf(error) === NOT_ENCRYPTED ? new OperatorError(NOT_ENCRYPTED, { cause: error }) : error

const reasonOf = (error: unknown): string => {
  if (error instanceof Unavailable && error.cause !== undefined) return reasonOf(error.cause)
  // A connection that several addresses refused has no message of its own.
  if (error instanceof AggregateError) return reasonOf(error.errors[0])
  return error instanceof Error ? error.message : 'unknown reason'
}
