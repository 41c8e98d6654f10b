import { mkdir } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import type { MigratedStorage } from '@countersign/core'
import { databaseUrlMessage, isDatabaseUrl, postgresPlaceOf } from './config/database-url.ts'
import { failureCode, StartupError, toldReason } from './startup-error.ts'

/** Adapters are imported here and nowhere else, and only the one that is asked for: each loads a driver. */

const openSqliteFile = async (path: string): Promise<MigratedStorage> => {
  const { openSqlite } = await import('@countersign/storage-sqlite')
  await mkdir(dirname(resolve(path)), { recursive: true, mode: 0o700 })
  return openSqlite({ path })
}

const openPostgresUrl = async (url: string): Promise<MigratedStorage> => {
  const { openPostgres } = await import('@countersign/storage-postgres')
  return openPostgres({ url })
}

/** What the operator reads: one that is there and says nothing is looked for elsewhere than one that is not there. */
const whyNotOpened = (cause: unknown): string => {
  const reason = toldReason(cause)
  if (reason !== undefined) return `cannot be opened: ${reason}`
  const code = failureCode(cause)
  return `${code === 'ETIMEDOUT' ? 'did not answer in time' : 'cannot be opened'} (${code})`
}

/** A database's address as it may be shown: without user and password, and without parameters, which may hold them too. */
export const shownDatabase = (url: string): string => (url.startsWith('sqlite:') ? url : (postgresPlaceOf(url) ?? ''))

/**
 * Opens the database of a URL: `sqlite:<path>`, whose folder is made where it is missing, or `postgres://…`.
 *
 * @throws StartupError where it cannot be opened, or nothing opens such a URL
 */
export const openStorage = async (url: string): Promise<MigratedStorage> => {
  if (!isDatabaseUrl(url)) throw new StartupError([`the database ${databaseUrlMessage}`])
  try {
    return await (url.startsWith('sqlite:') ? openSqliteFile(url.slice('sqlite:'.length)) : openPostgresUrl(url))
  } catch (cause) {
    throw new StartupError([`the database ${shownDatabase(url)} ${whyNotOpened(cause)}`], { cause })
  }
}
