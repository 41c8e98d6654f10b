import type { MigratedStorage } from '@countersign/core'
import { requireNode } from './require-node.ts'

/** Which file `openSqlite` opens. */
export interface SqliteOptions {
  /** The database's file. It is created where it does not exist, but not its directory. */
  readonly path: string
}

/**
 * Opens a storage on a SQLite file. Any number of processes may have it open at once. What it acknowledged survives a
 * crash of the process and of the machine.
 *
 * @throws Unavailable where the file cannot be opened or is no database; Error on a Node older than 22.18
 */
export const openSqlite = async (options: SqliteOptions): Promise<MigratedStorage> => {
  requireNode(process.versions.node)
  // Not before the check, as it loads the native module.
  const { openStorage } = await import('./open-storage.ts')
  return openStorage(options.path)
}
