import Sqlite from 'better-sqlite3'

/** A database as ours are opened to write: what it acknowledges is on the disk. */
export const openDurable = (path: string): Sqlite.Database => {
  const database = new Sqlite(path)
  database.pragma('journal_mode = wal')
  database.pragma('synchronous = full')
  database.pragma('wal_autocheckpoint = 4000')
  database.pragma('foreign_keys = on')
  return database
}
