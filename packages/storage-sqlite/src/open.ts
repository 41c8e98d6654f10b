import type { MigratedStorage } from '@countersign/core/storage'
import { requireNode } from './require-node.ts'

/** Which file `openSqlite` opens. */
export interface SqliteOptions {
  /** The database's file. It is created where it does not exist, but not its directory. `:memory:` is refused. */
  readonly path: string
}

/** What SQLite takes for a database of one connection, which ends with it. */
const NO_FILES = ['', ':memory:']

/**
 * Opens a storage on a SQLite file. Any number of processes may have it open at once. What it acknowledged survives a
 * crash of the process and of the machine.
 *
 * @throws Unavailable where the file cannot be opened or is no database; RangeError for a path that names no file; Error on a
 * Node older than 22.18
 */
export const openSqlite = async (options: SqliteOptions): Promise<MigratedStorage> => {
  if (NO_FILES.includes(options.path)) {
    throw new RangeError('path must be that of a file: what is in memory is not shared by connections, and does not last')
  }
  requireNode(process.versions.node)
  // Not before the check, as it loads the native module.
  const { openStorage } = await import('./open-storage.ts')
  return openStorage(options.path)
}
