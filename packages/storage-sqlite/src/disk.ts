import { CHECKPOINT_PAGES, type Connection, type Connections } from './connect.ts'
import { type DiskThread, startDiskThread, ThreadEnded } from './disk-thread.ts'
import { retryWhileBusy } from './retry-while-busy.ts'

/** How the writer of a database makes its commits last. */
export interface Disk {
  /**
   * Runs the commit of the open transaction. Resolves when it is on the disk, with the milliseconds that another thread waited.
   */
  commit(commit: () => unknown): Promise<number>
  /** Looks after the log. Nothing may be written meanwhile. */
  tend(): Promise<void>
  close(): Promise<void>
}

/** Commits that wait for the disk themselves, on the thread of the caller, or that wait for none, as in a database in memory. */
export const onThisThread: Disk = {
  commit: async (commit) => {
    commit()
    return 0
  },
  tend: async () => {},
  close: async () => {},
}

/** Milliseconds of a commit that are no reason for another thread: asking that thread would take as long. */
const QUICK = 0.3

/** Milliseconds beyond quick commits that the disk may hold up this thread in all. A short command stays below. */
const PATIENCE = 50

interface DiskOptions {
  /** Is called again after a thread has ended. */
  readonly startThread?: typeof startDiskThread
  readonly patience?: number
}

/** @param flushesByItself False if commits only reach the operating system, and another thread flushes them. */
const setCommits = (writer: Connection, flushesByItself: boolean): void => {
  writer.pragma(`synchronous = ${flushesByItself ? 'full' : 'normal'}`)
  writer.pragma(`wal_autocheckpoint = ${String(flushesByItself ? CHECKPOINT_PAGES : 0)}`)
}

/**
 * Lets another thread wait for the disk, as soon as that has held up this one for long enough. SQLite then only hands commits to
 * the operating system, and the thread flushes its log. Until it has, nobody is answered, and the reader of this process does not
 * see the commit. If no thread can run here, or while one starts, commits wait for the disk on this thread. See ADR 0032.
 *
 * @param path The file of the database, with an absolute path.
 */
export const waitingElsewhere = (
  path: string,
  { writer, reader }: Connections,
  { startThread = startDiskThread, patience = PATIENCE }: DiskOptions = {},
): Disk => {
  let state: 'here' | 'starting' | 'impossible' | DiskThread = 'here'
  let waited = 0
  /** The length of the log, in pages, at which it is next copied into the file. */
  let long = CHECKPOINT_PAGES
  let started: DiskThread | undefined
  let starting: Promise<void> | undefined
  let failure: unknown

  const beginReading = reader.prepare('begin')
  const look = reader.prepare('select 1 from sqlite_schema limit 1')
  const endReading = reader.prepare('commit')
  // Reads the length of the log, and copies nothing.
  const measureLog = writer.prepare<[], { readonly log: number }>('pragma wal_checkpoint(noop)')

  const start = async (): Promise<void> => {
    state = 'starting'
    try {
      started = await startThread(path)
    } catch (error) {
      state = 'impossible'
      const detail = String(error instanceof ThreadEnded ? error.cause : error)
      process.emitWarning('SQLite waits for the disk on the thread of the requests', { code: 'COUNTERSIGN_DISK', detail })
    }
  }

  const waitHere = (): void => {
    setCommits(writer, true)
    state = 'here'
    waited = 0
  }

  /** Flushes what an ended thread left: a durable write flushes everything before it. The version stays the same. */
  const writeSomething = writer.transaction(() => {
    writer.pragma(`user_version = ${String(writer.pragma('user_version', { simple: true }))}`)
  })

  const flush = async (thread: DiskThread): Promise<void> => {
    try {
      await thread.flush()
    } catch (error) {
      if (!(error instanceof ThreadEnded)) {
        // The system may have dropped what it could not write, and would call the next flush a success.
        failure = error
        throw error
      }
      waitHere()
      await retryWhileBusy(() => writeSomething.immediate())
    }
  }

  const commitHere = (commit: () => unknown): void => {
    const startedAt = performance.now()
    commit()
    waited = Math.max(0, waited + performance.now() - startedAt - QUICK)
    if (state === 'here' && waited > patience) starting = start()
  }

  const commitInto = async (thread: DiskThread, commit: () => unknown): Promise<number> => {
    // Until it ends, this transaction sees the database as it was.
    beginReading.run()
    try {
      look.get()
      commit()
      const startedAt = performance.now()
      await flush(thread)
      return performance.now() - startedAt
    } finally {
      endReading.run()
    }
  }

  const lengthOfLog = (): number => measureLog.get()?.log ?? 0

  const tendLog = async (thread: DiskThread): Promise<void> => {
    if (lengthOfLog() < long) return
    try {
      await thread.tend()
    } catch (error) {
      if (error instanceof ThreadEnded) waitHere()
      // Otherwise the log only grows until the next time: nobody waits for what it holds.
    }
    // A log that another connection reads stays long. It is tried again only when it has grown as much again.
    long = lengthOfLog() + CHECKPOINT_PAGES
  }

  return {
    commit: async (commit) => {
      if (failure !== undefined) throw failure
      if (typeof state === 'object') return commitInto(state, commit)
      commitHere(commit)
      return 0
    },
    tend: async () => {
      if (typeof state === 'object') return tendLog(state)
      if (started === undefined) return
      setCommits(writer, false)
      state = started
      started = undefined
    },
    close: async () => {
      await starting
      const thread = typeof state === 'object' ? state : started
      // A thread that has ended is as good as closed.
      await thread?.close().catch(() => {})
    },
  }
}
