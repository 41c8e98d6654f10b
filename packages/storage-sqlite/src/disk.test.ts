import { copyFileSync, writeFileSync } from 'node:fs'
import { setImmediate } from 'node:timers/promises'
import { Unavailable } from '@countersign/core/storage'
import type { Tables } from '@countersign/storage-sql'
import Sqlite from 'better-sqlite3'
import { type Kysely, sql } from 'kysely'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { temporaryPath } from '../test/temporary-file.ts'
import { CHECKPOINT_PAGES, connect } from './connect.ts'
import { waitingElsewhere } from './disk.ts'
import { type DiskThread, startDiskThread, ThreadEnded } from './disk-thread.ts'
import { groupCommit } from './writer.ts'

const note = (text: string) => (db: Kysely<Tables>) => sql`insert into notes values (${text})`.execute(db)
const textsOf = (connection: Sqlite.Database) => connection.prepare('select text from notes order by rowid').pluck().all()
const textsIn = (path: string) => {
  const connection = new Sqlite(path)
  onTestFinished(() => void connection.close())
  return textsOf(connection)
}

/** Opens a database whose commits wait in a thread from the first notes on. */
const given = async (startThread: (path: string) => Promise<DiskThread>, hasThread = true) => {
  const path = temporaryPath()
  writeFileSync(path, '')
  const connections = await connect(path)
  const { writer: connection, reader } = connections
  connection.exec('create table notes (text text primary key)')
  const disk = waitingElsewhere(path, connections, { startThread, patience: -1 })
  onTestFinished(async () => {
    await disk.close()
    reader.close()
    connection.close()
  })
  const { write, transaction } = groupCommit(connection, 'countersign_', undefined, disk)
  const waitsElsewhere = () => connection.pragma('synchronous', { simple: true }) === 1
  let first = 0
  const begin = async (): Promise<void> => {
    do {
      first += 1
      await write(note(`first ${first}`))
    } while (!waitsElsewhere())
    await write((db) => sql`delete from notes`.execute(db))
  }
  if (hasThread) await begin()
  return { path, connection, reader, write, transaction, begin, waitsElsewhere, pages: () => pagesOf(connection) }
}

const pagesOf = (connection: Sqlite.Database) =>
  (connection.pragma('wal_checkpoint(noop)') as readonly { readonly log: number }[])[0]?.log ?? 0

/** Returns a thread whose flushes the test ends. */
const aSlowThread = () => {
  let flush: (() => Promise<void>) | undefined
  const thread: DiskThread = { flush: async () => flush?.(), tend: async () => {}, close: async () => {} }
  const flushBy = (by?: () => Promise<void>): void => {
    flush = by
  }
  return { start: async () => thread, flushBy }
}

describe('a commit that waits for the disk in a thread', () => {
  it('answers nobody, and is seen by no reader, before the flush has ended', async () => {
    const { start, flushBy } = aSlowThread()
    const { write, transaction, reader } = await given(start)
    const flush = Promise.withResolvers<void>()
    flushBy(() => flush.promise)
    const answered: string[] = []
    const writes = [
      write(note('a')).then(() => answered.push('a')),
      transaction(note('b')).then(() => answered.push('b')),
      transaction(async () => expect.fail('refused')).catch(() => answered.push('refused')),
    ]
    for (let turn = 0; turn < 20; turn += 1) await setImmediate()
    expect({ answered, seen: textsOf(reader) }).toEqual({ answered: [], seen: [] })
    flush.resolve()
    await Promise.all(writes)
    expect({ answered, seen: textsOf(reader) }).toEqual({ answered: ['a', 'b', 'refused'], seen: ['a', 'b'] })
  })

  it('leaves in a copy of file and log, taken when a flush ends, everything that was answered until the next one', async () => {
    const { start, flushBy } = aSlowThread()
    const { path, write } = await given(start)
    const answered: string[] = []
    let copies = 0
    flushBy(async () => {
      // The files hold every write that is answered before the next flush ends.
      copies += 1
      copyFileSync(path, `${path}.${copies}`)
      copyFileSync(`${path}-wal`, `${path}.${copies}-wal`)
    })
    for (let turn = 0; turn < 10; turn += 1) {
      await Promise.all(['x', 'y'].map((name) => write(note(`${name}${turn}`)).then(() => answered.push(`${name}${turn}`))))
      expect(textsIn(`${path}.${copies}`)).toEqual(answered)
    }
    expect(copies).toBe(10)
  })

  it('is refused if the disk fails, and so is every later one, because what was lost stays lost', async () => {
    const { start, flushBy } = aSlowThread()
    const { write, connection } = await given(start)
    flushBy(() => Promise.reject(new Error('EIO: i/o error, fdatasync')))
    const [failed] = await Promise.allSettled([write(note('a'))])
    expect(failed).toMatchObject({ status: 'rejected', reason: { kind: 'unavailable' } })
    flushBy()
    await expect(write(note('b'))).rejects.toBeInstanceOf(Unavailable)
    expect(connection.inTransaction).toBe(false)
  })
})

describe('the thread that waits for the disk', () => {
  it('flushes what was committed, and copies a long log into the file, so that the log begins again', async () => {
    const { path, write, pages, reader } = await given(startDiskThread)
    const long = 'x'.repeat(3000)
    let most = 0
    for (let turn = 0; turn < 40; turn += 1) {
      await Promise.all(Array.from({ length: 100 }, (_, index) => write(note(`${turn}.${index} ${long}`))))
      most = Math.max(most, pages())
    }
    expect(textsOf(reader)).toHaveLength(4000)
    expect(textsIn(path)).toHaveLength(4000)
    expect(most).toBeGreaterThan(CHECKPOINT_PAGES / 2)
    expect(most).toBeLessThan(CHECKPOINT_PAGES + 1000)
  })

  it('copies the log after each large unit of work', async () => {
    const { transaction, pages } = await given(startDiskThread)
    const long = 'x'.repeat(3000)
    for (const turn of [1, 2, 3]) {
      await transaction(async (db) => {
        for (let index = 0; index < CHECKPOINT_PAGES; index += 1) await note(`${turn}.${index} ${long}`)(db)
      })
      // The writer looks after the log before it begins the next group.
      await transaction(note(`after ${turn}`))
      expect(pages()).toBeLessThan(100)
    }
  })

  it('copies a log that another connection reads only after it has grown as much again', async () => {
    const tend = vi.fn<(thread: DiskThread) => Promise<void>>((thread) => thread.tend())
    const { path, transaction } = await given(async (at) => {
      const thread = await startDiskThread(at)
      return { ...thread, tend: () => tend(thread) }
    })
    const other = new Sqlite(path)
    onTestFinished(() => void other.close())
    other.exec('begin')
    textsOf(other)
    const long = 'x'.repeat(3000)
    for (let turn = 0; turn < 30; turn += 1) {
      await transaction(async (db) => {
        for (let index = 0; index < CHECKPOINT_PAGES / 10; index += 1) await note(`${turn}.${index} ${long}`)(db)
      })
    }
    expect(tend.mock.calls.length).toBeGreaterThan(1)
    expect(tend.mock.calls.length).toBeLessThan(6)
  })

  it('loses nothing and doubles nothing if it ends while a commit waits for it, and starts again', async () => {
    const ends = { next: false }
    const start = vi.fn(async (path: string): Promise<DiskThread> => {
      const thread = await startDiskThread(path)
      const flush = async (): Promise<void> => {
        if (!ends.next) return thread.flush()
        ends.next = false
        await thread.close()
        await vi.waitFor(() => expect(thread.flush()).rejects.toBeInstanceOf(ThreadEnded))
        return thread.flush()
      }
      return { ...thread, flush }
    })
    const { path, write, begin, waitsElsewhere } = await given(start)
    ends.next = true
    await Promise.all(['a', 'b'].map((text) => write(note(text))))
    expect({ waits: waitsElsewhere(), kept: textsIn(path) }).toEqual({ waits: false, kept: ['a', 'b'] })
    await begin()
    expect(start).toHaveBeenCalledTimes(2)
    await write(note('c'))
    expect(textsIn(path)).toEqual(['c'])
  })

  it('is not needed: where none can start, a warning says so once, and commits wait here', async () => {
    const warned = vi.spyOn(process, 'emitWarning').mockReturnValue()
    const { path, write, waitsElsewhere } = await given(() => Promise.reject(new Error('no threads here')), false)
    for (const text of ['a', 'b', 'c']) await write(note(text))
    expect({ waits: waitsElsewhere(), kept: textsIn(path) }).toEqual({ waits: false, kept: ['a', 'b', 'c'] })
    expect(warned).toHaveBeenCalledExactlyOnceWith(expect.stringMatching(/waits for the disk/), {
      code: 'COUNTERSIGN_DISK',
      detail: 'Error: no threads here',
    })
  })

  it('rejects what it is asked after it has ended', async () => {
    const { path } = await given(startDiskThread)
    const thread = await startDiskThread(path)
    await thread.close()
    await vi.waitFor(() => expect(thread.flush()).rejects.toBeInstanceOf(ThreadEnded))
  })

  it('does not start for a file that is no database', async () => {
    const path = temporaryPath()
    writeFileSync(path, 'something else entirely, and longer than the header of a database file, which has 100 bytes or more.')
    await expect(startDiskThread(path)).rejects.toThrow(ThreadEnded)
  })
})
