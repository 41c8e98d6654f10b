import { mkdir } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { allParts, type MigratedStorage, type Part, type StorageObserver } from '@countersign/core'
import type * as Postgres from '@countersign/storage-postgres'
import type * as Sqlite from '@countersign/storage-sqlite'
import { databaseUrlFault, shownDatabase, sqlitePathOf } from './config/database-url.ts'
import { failureReason } from './failure-reason.ts'
import { whyNotLoaded } from './optional-packages.ts'
import { StartupError } from './startup-error.ts'

export interface StorageOptions {
  readonly observer?: StorageObserver | undefined
  /** The milliseconds after which a connection to PostgreSQL is replaced, at the latest. */
  readonly connectionMaxAge?: number | undefined
  /** The schema of the tables in PostgreSQL; `countersign` by default. */
  readonly schema?: string | undefined
  /** Parts besides those of the database; by default none, and all in an empty database. Two are always there. */
  readonly parts?: readonly Part[] | undefined
}

/** Names of parts with which an adapter opens its database. */
type OpenWithParts = (parts: readonly Part[]) => Promise<MigratedStorage>

/** Imports an adapter when it is used: hosts install only one. Bundlers accept a missing package only inside of `try`. */
const loadSqlite = async (): Promise<typeof Sqlite> => {
  try {
    return await import('@countersign/storage-sqlite')
  } catch (error) {
    throw whyNotLoaded('@countersign/storage-sqlite', error)
  }
}

const loadPostgres = async (): Promise<typeof Postgres> => {
  try {
    return await import('@countersign/storage-postgres')
  } catch (error) {
    throw whyNotLoaded('@countersign/storage-postgres', error)
  }
}

const sqliteFile = async (path: string, { observer }: StorageOptions): Promise<OpenWithParts> => {
  const { openSqlite } = await loadSqlite()
  await mkdir(dirname(resolve(path)), { recursive: true, mode: 0o700 })
  return (parts) => openSqlite({ path, parts, observer })
}

const postgresUrl = async (url: string, { observer, connectionMaxAge, schema }: StorageOptions): Promise<OpenWithParts> => {
  const { openPostgres } = await loadPostgres()
  const options = {
    url,
    observer,
    ...(connectionMaxAge !== undefined && { connectionMaxAge }),
    ...(schema !== undefined && { schema }),
  }
  return (parts) => openPostgres({ ...options, parts })
}

/** Opens a database with the named parts and those that it has. Opens it again only if it has no projects. */
const openWithParts = async (open: OpenWithParts, named: readonly Part[] | undefined): Promise<MigratedStorage> => {
  const storage = await open(allParts)
  try {
    const { parts: present } = await storage.installation()
    const wanted = named ?? (present.length === 0 ? allParts : [])
    if ([...wanted, ...present].includes('projects')) return storage
  } catch (error) {
    await storage.close()
    throw error
  }
  await storage.close()
  return open(['identity', 'approvals'])
}

/** Opens a database: `sqlite:<path>`, whose folder is created if it is missing, or `postgres://…`. @throws StartupError */
export const openStorage = async (url: string, options: StorageOptions = {}): Promise<MigratedStorage> => {
  const fault = databaseUrlFault(url)
  if (fault !== undefined) throw new StartupError([`the URL of the database: ${fault}`])
  const path = sqlitePathOf(url)
  try {
    const open = await (path === undefined ? postgresUrl(url, options) : sqliteFile(path, options))
    return await openWithParts(open, options.parts)
  } catch (cause) {
    if (cause instanceof StartupError) throw cause
    throw new StartupError([`the database ${shownDatabase(url)} cannot be opened: ${failureReason(cause)}`], { cause })
  }
}

/** Refuses a database whose installation is in another place: a migration would make a second one. @throws StartupError */
export const requireOneInstallation = async (storage: MigratedStorage, url: string): Promise<void> => {
  const { parts, elsewhere } = await storage.installation()
  if (parts.length > 0 || elsewhere.length === 0) return
  const isSqlite = sqlitePathOf(url) !== undefined
  const where = isSqlite ? 'in tables with another prefix' : 'in another schema'
  const how = isSqlite ? 'only the program that made it works on it' : `COUNTERSIGN_DATABASE_SCHEMA=${elsewhere[0]} works on it`
  throw new StartupError([
    `the database has an installation ${where} (${elsewhere.join(', ')}): ${how}; ` +
      '`countersign migrate --new-installation` makes another one',
  ])
}
