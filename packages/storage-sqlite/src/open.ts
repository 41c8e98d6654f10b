import type { Part, StorageObserver } from '@countersign/core'
import { type MigratedStorage, type StorageOf, sqlitePathFault } from '@countersign/core/storage'

const OLDEST: readonly [major: number, minor: number] = [22, 18]

/**
 * Refuses a Node.js version on which the native SQLite module would end the process without a message.
 *
 * @throws Error with one line
 */
export const requireNode = (version: string): void => {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  if (major > OLDEST[0] || (major === OLDEST[0] && minor >= OLDEST[1])) return
  throw new Error(`Countersign needs Node.js ${OLDEST.join('.')} or newer for its SQLite database; this is ${version}`)
}

/** The database that `openSqlite` opens. */
export interface SqliteOptions<P extends Part = Part> {
  /**
   * The file of the database. A missing file is created, but not a missing directory. `:memory:` is refused, as is a path that
   * programs read in different ways.
   */
  readonly path: string
  /**
   * The prefix of the names of all tables and indexes. Defaults to `countersign_`. At most 40 lower-case letters, digits and
   * underscores, beginning with a letter.
   */
  readonly tablePrefix?: string
  /**
   * The parts whose tables the storage has. Defaults to all. Without `projects`, migrations make no tables of projects. Identity
   * and approvals always have their tables. A storage that names more parts adds their tables later.
   */
  readonly parts?: readonly P[]
  /** Is called with each statement and each commit. */
  readonly observer?: StorageObserver | undefined
}

const DEFAULT_PREFIX = 'countersign_'
/** Needs no quotes. Names with `sqlite_` are reserved for SQLite. */
const PREFIX = /^(?!sqlite_)[a-z][a-z0-9_]{0,39}$/

/**
 * Opens a storage on a SQLite file. Several processes may have the file open. Every acknowledged write survives a crash of the
 * process and of the machine.
 *
 * @throws Unavailable if the file cannot be opened or is not a database
 * @throws RangeError for a path or a prefix that is not allowed
 * @throws TypeError for another thing than a list of parts
 * @throws Error on a Node older than 22.18
 */
export function openSqlite<const P extends Part = Part>(options: SqliteOptions<P>): Promise<StorageOf<P>>
export async function openSqlite(options: SqliteOptions): Promise<MigratedStorage> {
  const fault = sqlitePathFault(options.path)
  if (fault !== undefined) throw new RangeError(`path ${fault}`)
  const { tablePrefix = DEFAULT_PREFIX } = options
  if (!PREFIX.test(tablePrefix)) {
    throw new RangeError('tablePrefix must be at most 40 lower-case letters, digits and underscores, and begin with a letter')
  }
  requireNode(process.versions.node)
  // Imported after the check of the Node version, because the import loads the native module.
  const { openStorage } = await import('./open-storage.ts')
  return openStorage(options.path, tablePrefix, options.parts, options.observer)
}
