import { mkdir } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import type { MigratedStorage, StorageObserver } from '@countersign/core'
import type * as Postgres from '@countersign/storage-postgres'
import type * as Sqlite from '@countersign/storage-sqlite'
import { databaseUrlFault, shownDatabase, sqlitePathOf } from './config/database-url.ts'
import { failureReason } from './failure-reason.ts'
import { whyNotLoaded } from './optional-packages.ts'
import { StartupError } from './startup-error.ts'

/** The options of `openStorage`. */
export interface StorageOptions {
  /** Is called with each statement. */
  readonly observer?: StorageObserver | undefined
  /** The milliseconds after which a connection to PostgreSQL is replaced, at the latest. */
  readonly connectionMaxAge?: number | undefined
}

/**
 * Each adapter is imported only when its database is used, because it loads a driver, and because hosts install only one. Bundlers
 * accept a missing package only if the import is inside of `try`.
 */
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

const openSqliteFile = async (path: string, { observer }: StorageOptions): Promise<MigratedStorage> => {
  const { openSqlite } = await loadSqlite()
  await mkdir(dirname(resolve(path)), { recursive: true, mode: 0o700 })
  return openSqlite({ path, observer })
}

const openPostgresUrl = async (url: string, { observer, connectionMaxAge }: StorageOptions): Promise<MigratedStorage> => {
  const { openPostgres } = await loadPostgres()
  return openPostgres({ url, observer, ...(connectionMaxAge !== undefined && { connectionMaxAge }) })
}

/**
 * Opens the database of a URL: `sqlite:<path>`, whose folder is created if it is missing, or `postgres://…`.
 *
 * @throws StartupError if the database cannot be opened, the package of the database is not installed, or the URL is not that of a
 * database
 */
export const openStorage = async (url: string, options: StorageOptions = {}): Promise<MigratedStorage> => {
  const fault = databaseUrlFault(url)
  if (fault !== undefined) throw new StartupError([`the URL of the database: ${fault}`])
  const path = sqlitePathOf(url)
  try {
    return await (path === undefined ? openPostgresUrl(url, options) : openSqliteFile(path, options))
  } catch (cause) {
    if (cause instanceof StartupError) throw cause
    throw new StartupError([`the database ${shownDatabase(url)} cannot be opened: ${failureReason(cause)}`], { cause })
  }
}
