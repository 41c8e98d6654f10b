import { closeSync, openSync } from 'node:fs'
import { Unavailable } from '@countersign/core/storage'
import Sqlite from 'better-sqlite3'
import { codeOf, reasonOf } from './errors.ts'
import { retryWhileBusy } from './retry-while-busy.ts'

export type Connection = Sqlite.Database

export interface Connections {
  /** The only writing connection of the process, so that concurrent writes can share a commit. */
  readonly writer: Connection
  /** Sees committed data, and never waits for the writer (WAL mode). */
  readonly reader: Connection
}

/** Milliseconds that a reader may block the process while another connection recovers the log after a crash. */
const READER_BUSY_TIMEOUT = 5000

/** Readable by its owner only. SQLite gives its journal files the same mode. */
const PRIVATE = 0o600

/**
 * Creates the file only if it is missing. The driver never creates a file, because it would be readable by everybody. Opening and
 * closing an existing file would release this process's own locks on it.
 */
const createIfMissing = (path: string): void => {
  try {
    closeSync(openSync(path, 'wx', PRIVATE))
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error
  }
}

/**
 * The number of pages in the log after which a commit also copies them into the file (a checkpoint). A page that many commits
 * change, such as the last page of an index, is then copied once. See ADR 0004 for measurements.
 */
export const CHECKPOINT_PAGES = 4000

/**
 * Opens the log with a first read. Only a connection with an open log copies the log into the file and deletes it on closing. The
 * connections of a storage may stay unused when migrations or a data move use connections of their own.
 */
const openLog = (connection: Connection): Promise<unknown> =>
  retryWhileBusy(() => connection.prepare('select 1 from sqlite_schema limit 1').get())

/**
 * Opens a connection that may write. SQLite never waits for a busy file, because that would block the process: `retryWhileBusy`
 * waits.
 */
export const connectWriter = async (path: string): Promise<Connection> => {
  const connection = new Sqlite(path, { timeout: 0, fileMustExist: true })
  try {
    const mode = await retryWhileBusy(() => connection.pragma('journal_mode = wal', { simple: true }))
    if (mode !== 'wal') throw new Error('its file system cannot hold a write-ahead log')
    // FULL: an acknowledged write survives a power cut, not only a crash of the process.
    connection.pragma('synchronous = full')
    connection.pragma(`wal_autocheckpoint = ${String(CHECKPOINT_PAGES)}`)
    connection.pragma('foreign_keys = on')
    await openLog(connection)
    return connection
  } catch (error) {
    connection.close()
    throw error
  }
}

/** The largest part of a file that SQLite can map, in bytes: 2 GiB less 64 KiB. The rest is read by system calls. */
const MAPPED = 0x7fff_0000

/** Opens a connection that only reads. It maps the file into memory (mmap), which makes searches with many matches faster. */
export const connectReader = (path: string): Connection => {
  const connection = new Sqlite(path, { readonly: true, timeout: READER_BUSY_TIMEOUT })
  connection.pragma(`mmap_size = ${String(MAPPED)}`)
  return connection
}

/** Opens both connections, and creates the file if it is missing. @throws Unavailable with the file and the reason */
export const connect = async (path: string): Promise<Connections> => {
  let writer: Connection | undefined
  try {
    createIfMissing(path)
    writer = await connectWriter(path)
    return { writer, reader: connectReader(path) }
  } catch (error) {
    writer?.close()
    const cause = error instanceof Unavailable ? error.cause : error
    const why = cause instanceof Error ? cause.message : 'unknown reason'
    throw new Unavailable(`The SQLite database ${path} cannot be opened: ${why}`, { cause: error, reason: reasonOf(cause) })
  }
}
