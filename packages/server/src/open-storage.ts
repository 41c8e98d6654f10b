import { mkdir } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import type { MigratedStorage, StorageObserver } from '@countersign/core'
import { databaseUrlFault, shownDatabase, sqlitePathOf } from './config/database-url.ts'
import { failureReason } from './failure-reason.ts'
import { StartupError } from './startup-error.ts'

/** The options of `openStorage`. */
export interface StorageOptions {
  /** Is told of each statement. */
  readonly observer?: StorageObserver | undefined
  /** The milliseconds after which a connection to PostgreSQL is replaced, at the latest. */
  readonly connectionMaxAge?: number
}

/** Each adapter is imported only when its database is used, because it loads a driver. */

const openSqliteFile = async (path: string, { observer }: StorageOptions): Promise<MigratedStorage> => {
  const { openSqlite } = await import('@countersign/storage-sqlite')
  await mkdir(dirname(resolve(path)), { recursive: true, mode: 0o700 })
  return openSqlite({ path, observer })
}

const openPostgresUrl = async (url: string, { observer, connectionMaxAge }: StorageOptions): Promise<MigratedStorage> => {
  const { openPostgres } = await import('@countersign/storage-postgres')
  return openPostgres({ url, observer, ...(connectionMaxAge !== undefined && { connectionMaxAge }) })
}

/**
 * Opens the database of a URL: `sqlite:<path>`, whose folder is created if it is missing, or `postgres://…`.
 *
 * @throws StartupError if the database cannot be opened or the URL is not that of a database
 */
export const openStorage = async (url: string, options: StorageOptions = {}): Promise<MigratedStorage> => {
  const fault = databaseUrlFault(url)
  if (fault !== undefined) throw new StartupError([`the URL of the database: ${fault}`])
  const path = sqlitePathOf(url)
  try {
    return await (path === undefined ? openPostgresUrl(url, options) : openSqliteFile(path, options))
  } catch (cause) {
    throw new StartupError([`the database ${shownDatabase(url)} cannot be opened: ${failureReason(cause)}`], { cause })
  }
}
