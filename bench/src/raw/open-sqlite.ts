import Sqlite from 'better-sqlite3'

/** Opens a database with the settings of our writer: acknowledged data is on the disk. */
export const openDurable = (path: string): Sqlite.Database => {
  const database = new Sqlite(path)
  database.pragma('journal_mode = wal')
  database.pragma('synchronous = full')
  database.pragma('wal_autocheckpoint = 4000')
  database.pragma('foreign_keys = on')
  return database
}
