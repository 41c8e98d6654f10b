import { type MigratedStorage, Unavailable } from '@countersign/core'
import { createStorage } from '@countersign/storage-sql'
import { postgresEngine } from './engine.ts'
import { flavour } from './flavour.ts'

export interface PostgresOptions {
  /** `postgres://user:password@host:port/database`, with what parameters the driver `pg` takes. */
  readonly url: string
  /** Connections that are open at most; 10 where nothing is said. */
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
  const storage = createStorage({ engine: postgresEngine(url, poolSize), flavour })
  try {
    await storage.ping()
    return storage
  } catch (error) {
    await storage.close()
    throw new Unavailable(`The PostgreSQL database${placeOf(url)} cannot be opened: ${reasonOf(error)}`, { cause: error })
  }
}

/** Host and name of the database, without user and password. */
const placeOf = (url: string): string => {
  if (!URL.canParse(url)) return ''
  const { host, pathname } = new URL(url)
  return ` ${host}${pathname}`
}

const reasonOf = (error: unknown): string => {
  if (error instanceof Unavailable && error.cause !== undefined) return reasonOf(error.cause)
  // A connection that several addresses refused has no message of its own.
  if (error instanceof AggregateError) return reasonOf(error.errors[0])
  return error instanceof Error ? error.message : 'unknown reason'
}
