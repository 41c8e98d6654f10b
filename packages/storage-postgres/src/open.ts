import type { Part, StorageObserver } from '@countersign/core'
import { isSchemaName, type MigratedStorage, type StorageOf, schemaNames, Unavailable } from '@countersign/core/storage'
import { createStorage, storedParts, tablesOf } from '@countersign/storage-sql'
import type pg from 'pg'
import { watchAbandonedSessions } from './abandoned-sessions.ts'
import { changeFeed } from './changes/change-feed.ts'
import { projectsShare, writesShare } from './connection-queue.ts'
import { connectionSettings, DEFAULT_MAX_AGE } from './connection-settings.ts'
import { dialectFeatures } from './dialect-features.ts'
import { type Connections, postgresEngine } from './engine.ts'
import { hostPool } from './host-pool.ts'
import { OperatorError } from './operator-error.ts'
import { createPool, createProbePool } from './pool.ts'
import { reasonOf } from './reason-of.ts'
import { connector, hostConnector } from './servers/connector.ts'
import { readServers, type Servers } from './servers/read-servers.ts'

interface SharedOptions<P extends Part> {
  /** The schema of the tables, `countersign` by default: at most 40 of a-z, 0-9 and _, with a letter first. Created if missing. */
  readonly schema?: string
  /**
   * The parts whose tables the storage has; all by default. Without `projects`, migrations need no `pg_trgm`. Identity and
   * approvals always have their tables. A storage that names more parts adds their tables later.
   */
  readonly parts?: readonly P[]
  /** Is called with each statement and commit, except for migrations and imports. */
  readonly observer?: StorageObserver | undefined
}

/** A database by its URL, with a pool of its own. */
export interface PostgresUrlOptions<P extends Part = Part> extends SharedOptions<P> {
  /**
   * `postgres://user:password@host:port/database`, with any parameters of the driver `pg`. Of several hosts, separated by commas,
   * the storage uses the one that accepts writes.
   */
  readonly url: string
  /** The greatest number of open connections for statements. Defaults to 10. One more connection listens for changes. */
  readonly poolSize?: number
  /**
   * The milliseconds after which a connection is replaced; 30 minutes by default. A new one uses the current password and address.
   */
  readonly connectionMaxAge?: number
}

export interface HostPool {
  readonly options: object
  readonly totalCount: number
  readonly idleCount: number
  connect(): Promise<object>
}

/** The database of the host's own pool. */
export interface PostgresPoolOptions<P extends Part = Part> extends SharedOptions<P> {
  /**
   * The pool of the host, which runs the statements. One more connection listens for changes; migrations and imports open one each
   * for their time. The host closes the pool, after the storage.
   */
  readonly pool: HostPool
}

/** The database that `openPostgres` opens. */
export type PostgresOptions<P extends Part = Part> = PostgresUrlOptions<P> | PostgresPoolOptions<P>

const DEFAULT_POOL_SIZE = 10
const DEFAULT_SCHEMA = 'countersign'

/**
 * Opens a storage on a PostgreSQL database, which any number of processes may share. If the server does not answer, a call rejects
 * with `Unavailable` within seconds. The storage works again once the server is back.
 * @throws Unavailable if the database cannot be reached; RangeError or TypeError for a wrong option
 */
export function openPostgres<const P extends Part = Part>(options: PostgresOptions<P>): Promise<StorageOf<P>>
export async function openPostgres(options: PostgresOptions): Promise<MigratedStorage> {
  const { schema = DEFAULT_SCHEMA, observer } = options
  const parts = storedParts(options.parts)
  const { connectionMaxAge: maxAge = DEFAULT_MAX_AGE } = 'pool' in options ? {} : options
  if (!(maxAge > 0)) throw new RangeError('connectionMaxAge must be a positive number of milliseconds')
  if (!isSchemaName(schema)) throw new RangeError(`schema must be ${schemaNames}`)
  let place = 'of the pool'
  try {
    if ('pool' in options) return await openOn(connectionsOfHost(options.pool as pg.Pool), { schema, parts, maxAge, observer })
    place = ''
    const servers = readServers(options.url)
    place = servers.place
    return await openOn(ownConnections(servers, options.poolSize, maxAge), { schema, parts, maxAge, observer })
  } catch (error) {
    throw new Unavailable(`The PostgreSQL database${place === '' ? '' : ` ${place}`} cannot be opened: ${messageOf(error)}`, {
      cause: error,
      reason: error instanceof Unavailable ? error.reason : reasonOf(error),
    })
  }
}

interface OpenOptions {
  readonly schema: string
  readonly parts: readonly Part[]
  readonly maxAge: number
  readonly observer: StorageObserver | undefined
}

const ownConnections = (servers: Servers, poolSize = DEFAULT_POOL_SIZE, maxAge: number): Connections => {
  const chosen = connector(servers, connectionSettings)
  const abandoned = watchAbandonedSessions(chosen)
  return {
    servers: chosen,
    pool: createPool(chosen, poolSize, maxAge, abandoned),
    probePool: createProbePool(chosen, maxAge, abandoned),
  }
}

const connectionsOfHost = (given: pg.Pool): Connections => {
  if (typeof given?.connect !== 'function' || typeof given.options?.max !== 'number') {
    throw new OperatorError('pool must be a Pool of the driver pg')
  }
  const chosen = hostConnector(given, connectionSettings)
  const pool = hostPool(given, chosen)
  return { servers: chosen, pool, probePool: pool }
}

const openOn = async (connections: Connections, { schema, parts, maxAge, observer }: OpenOptions): Promise<MigratedStorage> => {
  const { servers, pool } = connections
  const writes = writesShare(pool.statistics().most)
  const options = { schema, tables: tablesOf(parts), observer }
  const engine = postgresEngine(connections, writes, options)
  const projectsEngine = postgresEngine({ ...connections, pool: pool.within(projectsShare(writes)) }, writes, options)
  const feed = changeFeed(servers, { schema, maxAge }, pool.recheckAll)
  const close = async () => {
    await feed.close()
    await engine.close()
  }
  const storage = createStorage({
    engine: { ...engine, close },
    projectsEngine,
    features: dialectFeatures(schema),
    parts,
    feed,
    connectionStatistics: () => ({ connections: pool.statistics(), listening: feed.isListening() }),
  })
  try {
    await engine.ping()
    return storage
  } catch (error) {
    await storage.close()
    throw forOperator(error)
  }
}

/** The driver's message when the server refuses encryption. The error has no code. */
const NOT_ENCRYPTED = 'The server does not support SSL connections'

/** Our sentences for the codes with which TLS refuses the certificate of the server. */
const certificateFaults: Readonly<Record<string, string>> = {
  SELF_SIGNED_CERT_IN_CHAIN: 'the certificate of the server has an unknown issuer; sslrootcert=FILE names the issuer',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'the server signed its certificate itself; sslrootcert=FILE names the certificate',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'the certificate of the server has an unknown issuer; sslrootcert=FILE names the issuer',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'the certificate of the server has an unknown issuer; sslrootcert=FILE names the issuer',
  CERT_HAS_EXPIRED: 'the certificate of the server has expired',
  CERT_NOT_YET_VALID: 'the certificate of the server is not valid yet; compare the clocks',
  ERR_TLS_CERT_ALTNAME_INVALID: 'the certificate of the server names another host than the URL',
}

/** Shows faults of TLS to the operator. The message of the driver about refused encryption is fixed text without secrets. */
const forOperator = (error: unknown): unknown => {
  if (messageOf(error) === NOT_ENCRYPTED) return new OperatorError(NOT_ENCRYPTED, { cause: error })
  const cause = error instanceof Unavailable ? error.cause : error
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : ''
  const fault = certificateFaults[code]
  return fault === undefined ? error : new OperatorError(`${fault} (${code})`, { cause: error })
}

const messageOf = (error: unknown): string => {
  if (error instanceof Unavailable && error.cause !== undefined) return messageOf(error.cause)
  // If several addresses refuse a connection, only the errors inside have messages.
  if (error instanceof AggregateError) return messageOf(error.errors[0])
  return error instanceof Error ? error.message : 'unknown reason'
}
