import { write as writeLater, writeSync } from 'node:fs'

/** What the lines are written to. */
export interface LogFile {
  write(bytes: Uint8Array, done: (error: Error | null, written: number) => void): void
  writeSync(bytes: Uint8Array): number
}

export interface LogDestination {
  write(line: string): void
  /** Writes what waits while nothing else can run any more, as far as that goes within a second. */
  flush(): void
}

/** Characters that wait at most: some seconds of the busiest server. */
const MOST_WAITING = 8 * 1024 * 1024
/** Milliseconds from a write that failed to the next. */
const RETRY_AFTER = 100
/** Milliseconds that a process which ends waits at most for a reader that is slow. */
const LONGEST_FLUSH = 1000

const NOTHING = new Uint8Array()

const sleep = (milliseconds: number): void => {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds)
}

const isBusy = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === 'EAGAIN'

/**
 * Collects lines while a write is under way, so that whoever logs never waits. Nothing that befalls the file befalls the
 * process: a disk that is full, a reader that is slow or gone. What cannot be written waits and is tried again; of what
 * does not fit beside it, only the number is kept, and told where the gap is.
 *
 * @param lostLine The line, with its end, that tells how many were lost.
 */
export const createLogDestination = (file: LogFile, lostLine: (lines: number) => string): LogDestination => {
  let waiting = ''
  let lost = 0
  /** Taken from what waits, and not written yet. */
  let taken = NOTHING
  let isWriting = false
  let retry: NodeJS.Timeout | undefined

  const takeLost = (): string => {
    const line = lost === 0 ? '' : lostLine(lost)
    lost = 0
    return line
  }

  const send = (): void => {
    if (taken.length === 0) {
      taken = Buffer.from(waiting)
      waiting = ''
    }
    isWriting = true
    file.write(taken, onWritten)
  }

  const onWritten = (error: Error | null, written: number): void => {
    isWriting = false
    if (error !== null) {
      // A log that nobody takes keeps no process alive.
      retry = setTimeout(onRetry, RETRY_AFTER).unref()
      return
    }
    taken = taken.subarray(written)
    if (taken.length > 0 || waiting !== '') send()
  }

  const onRetry = (): void => {
    retry = undefined
    send()
  }

  return {
    write: (line) => {
      if (waiting.length >= MOST_WAITING) {
        lost += 1
        return
      }
      if (lost > 0) waiting += takeLost()
      waiting += line
      if (!isWriting && retry === undefined) send()
    },
    flush: () => {
      clearTimeout(retry)
      const deadline = performance.now() + LONGEST_FLUSH
      // What is under way is the system's by now; to write it again could write it twice.
      let rest: Uint8Array = Buffer.concat([isWriting ? NOTHING : taken, Buffer.from(waiting + takeLost())])
      waiting = ''
      while (rest.length > 0) {
        try {
          rest = rest.subarray(file.writeSync(rest))
        } catch (error) {
          if (!isBusy(error) || performance.now() >= deadline) return
          sleep(10)
        }
      }
    },
  }
}

const STANDARD_OUTPUT = 1

/** Standard output, flushed when the process ends. */
export const openStandardOutput = (lostLine: (lines: number) => string): LogDestination => {
  const file: LogFile = {
    write: (bytes, done) => writeLater(STANDARD_OUTPUT, bytes, done),
    writeSync: (bytes) => writeSync(STANDARD_OUTPUT, bytes),
  }
  const destination = createLogDestination(file, lostLine)
  process.once('exit', destination.flush)
  return destination
}
