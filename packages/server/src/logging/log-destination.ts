// A CommonJS package, in which Node finds no named export.
import sonicBoom from 'sonic-boom'

/** Accepts log lines. No method blocks the server or throws, whatever happens to the file. */
export interface LogDestination {
  write(line: string): void
  /** Writes the remaining lines synchronously, for a process that exits. Takes about a second at most. */
  flush(): void
}

/** The number of bytes that may wait. A busy server logs as much in a few seconds. */
const MAX_WAITING = 8 * 1024 * 1024
/** Milliseconds between two attempts to write while no new line arrives. */
const RETRY_DELAY = 200
/** Milliseconds that `flush` waits for a slow reader. */
const MAX_FLUSH_TIME = 1000

/**
 * Creates a destination that writes to a file descriptor without blocking, and writes lines again after a failure. A line by
 * `lostLine` takes the place of lines beyond `MAX_WAITING`. ADR 0023 says why the destination of pino is not used as it is.
 */
export const createLogDestination = (fd: number, lostLine: (lines: number) => string): LogDestination => {
  let waitingBytes = 0
  let droppedLines = 0
  let flushEndsAt = 0
  // The timer for a slow reader would keep alive a process that has nothing left to do, so only `flush` waits for the reader.
  const retryEAGAIN = (): boolean => performance.now() < flushEndsAt
  const file = new sonicBoom.SonicBoom({ fd, periodicFlush: RETRY_DELAY, retryEAGAIN })
  file.on('write', (bytes: number) => {
    waitingBytes -= bytes
  })
  // The file keeps the lines. It writes them with the next line, or after `RETRY_DELAY`.
  file.on('error', () => {})

  const append = (line: string): void => {
    const lines = droppedLines > 0 ? lostLine(droppedLines) + line : line
    droppedLines = 0
    waitingBytes += Buffer.byteLength(lines)
    file.write(lines)
  }
  return {
    write: (line) => {
      if (waitingBytes >= MAX_WAITING) droppedLines += 1
      else append(line)
    },
    flush: () => {
      if (droppedLines > 0) append('')
      flushEndsAt = performance.now() + MAX_FLUSH_TIME
      try {
        file.flushSync()
      } catch {
        // The disk is full, or nobody reads the pipe.
      }
    },
  }
}

const STANDARD_OUTPUT = 1

/** Opens standard output as a destination, which is flushed when the process exits. */
export const openStandardOutput = (lostLine: (lines: number) => string): LogDestination => {
  const destination = createLogDestination(STANDARD_OUTPUT, lostLine)
  process.once('exit', destination.flush)
  return destination
}
