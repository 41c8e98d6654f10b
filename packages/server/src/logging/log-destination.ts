import { write as writeLater, writeSync } from 'node:fs'

/** The file that lines are written to. Both methods may write only a part of the bytes. */
export interface LogFile {
  write(bytes: Uint8Array, done: (error: Error | null, written: number) => void): void
  writeSync(bytes: Uint8Array): number
}

/** Accepts log lines. No method blocks the server or throws, whatever happens to the file. */
export interface LogDestination {
  write(line: string): void
  /** Writes the remaining lines synchronously, for a process that exits. Takes about a second at most. */
  flush(): void
}

/** The number of characters that may wait. A busy server logs as much in a few seconds. */
const MAX_WAITING = 8 * 1024 * 1024
/** Milliseconds between a failed write and the next attempt. */
const RETRY_DELAY = 100
/** Milliseconds that `flush` waits for a slow reader. */
const MAX_FLUSH_TIME = 1000
/** Milliseconds between two attempts of `flush`. */
const FLUSH_RETRY_DELAY = 10

const noBytes = new Uint8Array()

const sleep = (milliseconds: number): void => {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds)
}

/** Returns whether the write failed because the reader of a pipe is slow. */
const isReaderSlow = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === 'EAGAIN'

/**
 * Writes all bytes synchronously, and stops at the first error. Where only the reader is slow, tries again for `MAX_FLUSH_TIME`.
 */
const writeAllSync = (file: LogFile, bytes: Uint8Array): void => {
  const deadline = performance.now() + MAX_FLUSH_TIME
  let rest = bytes
  while (rest.length > 0) {
    try {
      rest = rest.subarray(file.writeSync(rest))
    } catch (error) {
      if (!isReaderSlow(error) || performance.now() >= deadline) return
      sleep(FLUSH_RETRY_DELAY)
    }
  }
}

/**
 * Creates a destination that writes one batch of lines at a time. New lines wait until the batch is written. After a failure
 * the same batch is tried again. Lines beyond `MAX_WAITING` are dropped and counted, and a line with their number takes their
 * place. ADR 0023 says why no library does this.
 *
 * @param lostLine Returns the line that reports the number of dropped lines.
 */
export const createLogDestination = (file: LogFile, lostLine: (lines: number) => string): LogDestination => {
  /** The lines that come after the batch. */
  let waiting = ''
  let droppedLines = 0
  /** The bytes of the batch that are not written yet. */
  let batch = noBytes
  let isWriting = false
  let retryTimer: NodeJS.Timeout | undefined

  const reportDroppedLines = (): void => {
    if (droppedLines > 0) waiting += lostLine(droppedLines)
    droppedLines = 0
  }

  const writeBatch = (): void => {
    retryTimer = undefined
    if (batch.length === 0) {
      batch = Buffer.from(waiting)
      waiting = ''
    }
    isWriting = true
    file.write(batch, onWritten)
  }

  const onWritten = (error: Error | null, written: number): void => {
    isWriting = false
    if (error !== null) {
      // Without `unref`, the timer would keep a process alive that has nothing left to do.
      retryTimer = setTimeout(writeBatch, RETRY_DELAY).unref()
      return
    }
    batch = batch.subarray(written)
    if (batch.length > 0 || waiting !== '') writeBatch()
  }

  return {
    write: (line) => {
      if (waiting.length >= MAX_WAITING) {
        droppedLines += 1
        return
      }
      reportDroppedLines()
      waiting += line
      if (!isWriting && retryTimer === undefined) writeBatch()
    },
    flush: () => {
      clearTimeout(retryTimer)
      reportDroppedLines()
      // The operating system has a batch that is being written. A second write would duplicate its lines.
      writeAllSync(file, Buffer.concat([isWriting ? noBytes : batch, Buffer.from(waiting)]))
      waiting = ''
    },
  }
}

const STANDARD_OUTPUT = 1

/** Opens standard output as a destination, which is flushed when the process exits. */
export const openStandardOutput = (lostLine: (lines: number) => string): LogDestination => {
  const file: LogFile = {
    write: (bytes, done) => writeLater(STANDARD_OUTPUT, bytes, done),
    writeSync: (bytes) => writeSync(STANDARD_OUTPUT, bytes),
  }
  const destination = createLogDestination(file, lostLine)
  process.once('exit', destination.flush)
  return destination
}
