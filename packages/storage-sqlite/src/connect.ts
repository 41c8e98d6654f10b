import { closeSync, openSync } from 'node:fs'
import { Unavailable } from '@countersign/core/storage'
import Sqlite from 'better-sqlite3'
import { codeOf } from './errors.ts'
import { retryWhileBusy } from './retry-while-busy.ts'

export type Connection = Sqlite.Database

export interface Connections {
  /** The only one that writes, so that what waits to be written can be written together. */
  readonly writer: Connection
  /** Sees what is committed, and never waits for the writer (WAL). */
  readonly reader: Connection
}

/** Milliseconds that a reader may wait, stopping the process, while another connection recovers the log after a crash. */
const READER_BUSY_TIMEOUT = 5000

/** Readable by its owner only; SQLite gives the files beside it the same mode. */
const PRIVATE = 0o600

/** Never opens a file that exists: closing it again would drop the locks of this process's own connections on it. */
const createIfMissing = (path: string): void => {
  try {
    closeSync(openSync(path, 'wx', PRIVATE))
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error
  }
}

/**
 * Pages of the log after which a commit also copies them into the file, and waits for that (a checkpoint). What many commits
 * write, such as the last page of an index, is copied once: with SQLite's own thousand, projects are inserted a tenth
 * slower, sessions refreshed 7 %, and one commit in a hundred takes twice as long or more.
 */
const CHECKPOINT_PAGES = 4000

/**
 * Has the connection open the log, which the first read does: in a file that it has just made, setting the mode does not.
 * Only a connection that has the log open copies it into the file and takes it away when it closes as the last, and the one
 * of a storage may never be asked for anything, where all was written by others (migrations, a move of data).
 */
const openLog = (connection: Connection): Promise<unknown> =>
  retryWhileBusy(() => connection.prepare('select 1 from sqlite_schema limit 1').get())

/** Opens a connection that may write. Who uses it waits where it is busy; it does not wait by itself. */
export const connectWriter = async (path: string): Promise<Connection> => {
  const connection = new Sqlite(path, { timeout: 0 })
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

/** As much of a file as SQLite can map, in bytes: 2 GiB less 64 KiB. What lies behind it is read by calls. */
const MAPPED = 0x7fff_0000

/**
 * Opens a connection that only reads. It has the file in its memory (mmap), not in a cache filled by calls: looking at the
 * 6,000 rows that a search finds among a million then takes 11 ms, not 25.
 */
export const connectReader = (path: string): Connection => {
  const connection = new Sqlite(path, { readonly: true, timeout: READER_BUSY_TIMEOUT })
  connection.pragma(`mmap_size = ${String(MAPPED)}`)
  return connection
}

/** Opens both connections; the file is created where it does not exist. @throws Unavailable, naming the file and the reason */
export const connect = async (path: string): Promise<Connections> => {
  let writer: Connection | undefined
  try {
    createIfMissing(path)
    writer = await connectWriter(path)
    return { writer, reader: connectReader(path) }
  } catch (error) {
    writer?.close()
    const reason = error instanceof Unavailable ? error.cause : error
    const why = reason instanceof Error ? reason.message : 'unknown reason'
    throw new Unavailable(`The SQLite database ${path} cannot be opened: ${why}`, { cause: error })
  }
}
