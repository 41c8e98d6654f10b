// By another name, because hosts that bundle declare `createRequire` at the top of each file.
import { createRequire as requireFrom } from 'node:module'
import { Worker } from 'node:worker_threads'

/** A task of the thread. Each task has one answer, and the answers come in the order of the tasks. */
export type DiskTask = 'flush' | 'tend' | 'close'

/** The thread that waits for the disk. */
export interface DiskThread {
  /** Resolves when everything that was committed before is on the disk. Rejects if the thread ended, or the flush failed. */
  flush(): Promise<void>
  /**
   * Copies the log into the file. Nothing may be written meanwhile, or the log cannot begin again.
   * Rejects if the thread ended.
   */
  tend(): Promise<void>
  close(): Promise<void>
}

interface Given {
  readonly path: string
  readonly driver: string
}

interface Answer {
  readonly error?: unknown
}

/**
 * The code of the thread. Its text is what the thread runs, so that a bundler needs to know nothing of it. It must therefore use
 * nothing from outside, and no arrow function with a name: a bundler that keeps names calls a helper of its own for each.
 */
/* v8 ignore start: it runs in another thread, where nothing is counted. */
const code = (
  { parentPort, workerData }: Pick<typeof import('node:worker_threads'), 'parentPort' | 'workerData'>,
  { openSync, closeSync, fdatasyncSync }: Pick<typeof import('node:fs'), 'openSync' | 'closeSync' | 'fdatasyncSync'>,
  load: (driver: string) => typeof import('better-sqlite3'),
) => {
  const { path, driver } = workerData as Given
  const Sqlite = load(driver)
  const connection = new Sqlite(path, { timeout: 5000, fileMustExist: true })
  connection.pragma('synchronous = full')
  connection.pragma('wal_autocheckpoint = 0')
  connection.prepare('select 1 from sqlite_schema limit 1').get()
  // From here on the writer waits for this thread: what is locked is left for the next time.
  connection.pragma('busy_timeout = 0')
  // The log stays the same file while a connection is open. Windows flushes only what is open for writing.
  const log = openSync(`${path}-wal`, 'r+')
  const writeSomething = connection.transaction(() => {
    // The version of the host's application, which stays the same.
    connection.pragma(`user_version = ${String(connection.pragma('user_version', { simple: true }))}`)
  })
  const tasks: Readonly<Record<DiskTask, () => void>> = {
    flush() {
      fdatasyncSync(log)
    },
    tend() {
      connection.pragma('wal_checkpoint(passive)')
      // The first write after a checkpoint begins the log again, and waits for the disk before its commit does.
      writeSomething.immediate()
    },
    close() {
      connection.close()
      closeSync(log)
      setImmediate(() => parentPort?.close())
    },
  }
  parentPort?.on('message', (task: DiskTask) => {
    try {
      tasks[task]()
      parentPort.postMessage({})
    } catch (error) {
      parentPort.postMessage({ error })
    }
  })
  parentPort?.postMessage({})
}
/* v8 ignore stop */

/** The text of a script that runs `code`. */
const script = `(${String(code)})(require('node:worker_threads'), require('node:fs'), require)`

/** The thread ended before it answered. What it was asked may have been done. */
export class ThreadEnded extends Error {
  override readonly name = 'ThreadEnded'
}

/** Starts the thread for a database file whose log is open. Rejects if it cannot run here, such as where its driver is missing. */
export const startDiskThread = async (path: string): Promise<DiskThread> => {
  const driver = requireFrom(import.meta.url).resolve('better-sqlite3')
  const workerData: Given = { path, driver }
  const worker = new Worker(script, { eval: true, execArgv: [], name: 'countersign-sqlite', workerData })
  const asked: PromiseWithResolvers<void>[] = []
  let end: ThreadEnded | undefined

  /** Keeps the process alive until the next answer, and no longer. */
  const nextAnswer = (): Promise<void> => {
    const one = Promise.withResolvers<void>()
    asked.push(one)
    worker.ref()
    return one.promise
  }
  const ask = (task: DiskTask): Promise<void> => {
    if (end !== undefined) return Promise.reject(end)
    worker.postMessage(task)
    return nextAnswer()
  }
  worker.on('message', ({ error }: Answer) => {
    const one = asked.shift()
    if (asked.length === 0) worker.unref()
    if (error === undefined) one?.resolve()
    else one?.reject(error)
  })
  const ended = (cause?: unknown): void => {
    end ??= new ThreadEnded('The thread that waits for the disk ended', { cause })
    for (const one of asked.splice(0)) one.reject(end)
  }
  worker.on('error', ended)
  worker.on('exit', () => ended())
  await nextAnswer()
  return { flush: () => ask('flush'), tend: () => ask('tend'), close: () => ask('close') }
}
