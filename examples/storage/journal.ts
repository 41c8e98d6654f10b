import { DatabaseSync } from 'node:sqlite'
import { deserialize, serialize } from 'node:v8'
import { errors } from '@countersign/core'

/** The changes, in order. */
export interface Journal<T> {
  /**
   * Returns when the entry is on the disk and survives a crash and a power cut.
   *
   * @throws Unavailable if the entry was not written
   */
  append(entry: T): void
  entries(): Iterable<T>
  /** @throws Unavailable if the journal cannot be written */
  check(): void
  close(): void
}

const orUnavailable = <R>(work: () => R): R => {
  try {
    return work()
  } catch (cause) {
    throw new errors.Unavailable(undefined, { cause })
  }
}

/**
 * Opens a journal in a SQLite file. SQLite writes each record completely or not at all, has it on the disk before `append`
 * returns, and locks the file against other processes.
 *
 * @throws Unavailable
 */
export const openJournal = <T>(path: string): Journal<T> => {
  const database = orUnavailable(() => {
    const opened = new DatabaseSync(path)
    opened.exec(`
      pragma locking_mode = exclusive;
      pragma journal_mode = wal;
      pragma synchronous = full;
      create table if not exists journal (seq integer primary key, entry blob not null);
      begin immediate; commit`)
    return opened
  })
  const insert = database.prepare('insert into journal (entry) values (?)')
  const all = database.prepare('select entry from journal order by seq')
  return {
    append: (entry) => {
      orUnavailable(() => insert.run(serialize(entry)))
    },
    entries: function* () {
      for (const { entry } of all.iterate()) yield deserialize(entry as Uint8Array) as T
    },
    check: () => {
      orUnavailable(() => database.exec('begin immediate; rollback'))
    },
    close: () => {
      if (database.isOpen) database.close()
    },
  }
}
