import { DatabaseSync } from 'node:sqlite'
import { deserialize, serialize } from 'node:v8'
import { Unavailable } from '@countersign/core'

/** What was done, in the order in which it was done. */
export interface Journal<T> {
  /** Returns once the entry is on the disk, and survives a crash and a power cut. @throws Unavailable: nothing was written */
  append(entry: T): void
  entries(): Iterable<T>
  /** @throws Unavailable where it could not be written to. */
  check(): void
  close(): void
}

const orUnavailable = <R>(work: () => R): R => {
  try {
    return work()
  } catch (cause) {
    throw new Unavailable(undefined, { cause })
  }
}

/**
 * A journal in a SQLite file, of which SQLite is used for what is hard: records that are whole or not there, on the disk
 * before `append` returns, and a lock that no second process passes. @throws Unavailable
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
