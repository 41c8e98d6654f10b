import { isUtf8 } from 'node:buffer'
import { createReadStream } from 'node:fs'

/** A part of a file with whole lines: each line ends with a line feed, except the last line of the file. */
export interface LinesOfFile {
  /** The number of the first line in the file, from 1. */
  readonly firstLine: number
  /** The text in UTF-8. Empty if the line cannot be read. */
  readonly bytes: Buffer
  /** The reason why this part, which is one line, cannot be read. */
  readonly unreadable?: string
}

const LINE_FEED = 0x0a
const MOST_BYTES_OF_A_LINE = 1024 * 1024
const BYTE_ORDER_MARK = Buffer.from('\ufeff')

const withoutMark = (bytes: Buffer): Buffer =>
  bytes.subarray(0, BYTE_ORDER_MARK.length).equals(BYTE_ORDER_MARK) ? bytes.subarray(BYTE_ORDER_MARK.length) : bytes

const NOTHING = Buffer.alloc(0)

const countLines = (bytes: Buffer): number => {
  let count = 0
  for (let at = bytes.indexOf(LINE_FEED); at !== -1; at = bytes.indexOf(LINE_FEED, at + 1)) count += 1
  return count
}

/** Singles out lines that are not UTF-8. A line feed is never part of another character (RFC 3629 §3). */
function* checkUtf8({ firstLine, bytes }: LinesOfFile): Generator<LinesOfFile> {
  if (isUtf8(bytes)) {
    yield { firstLine, bytes }
    return
  }
  let line = firstLine
  for (let from = 0; from < bytes.length; line += 1) {
    const end = bytes.indexOf(LINE_FEED, from)
    const next = end === -1 ? bytes.length : end + 1
    const one = bytes.subarray(from, next)
    yield isUtf8(one) ? { firstLine: line, bytes: one } : { firstLine: line, bytes: NOTHING, unreadable: 'must be UTF-8' }
    from = next
  }
}

/**
 * Reads a file in parts of a few lines, so that memory does not grow with the file. A line that is not UTF-8 or longer than 1 MiB
 * is a part of its own. `onBytes` is called with the number of bytes read so far.
 */
export async function* readLines(path: string, onBytes: (bytes: number) => void = () => {}): AsyncGenerator<LinesOfFile> {
  let read = 0
  let firstLine = 1
  let begun: Buffer = NOTHING
  let isTooLong = false
  const checked = (bytes: Buffer) => {
    const lines = { firstLine, bytes: firstLine === 1 ? withoutMark(bytes) : bytes }
    firstLine += countLines(bytes)
    return checkUtf8(lines)
  }

  for await (const whole of createReadStream(path) as AsyncIterable<Buffer>) {
    read += whole.length
    let chunk = whole
    if (isTooLong) {
      const end = chunk.indexOf(LINE_FEED)
      isTooLong = end === -1
      chunk = isTooLong ? NOTHING : chunk.subarray(end + 1)
    }
    // Lines inside one chunk are short enough. Only the line that began in an earlier chunk can be too long.
    const firstEnd = chunk.indexOf(LINE_FEED)
    const more = firstEnd === -1 ? chunk.length : firstEnd
    if (begun.length + more > MOST_BYTES_OF_A_LINE) {
      yield { firstLine, bytes: NOTHING, unreadable: 'must be at most 1 MiB' }
      firstLine += 1
      begun = NOTHING
      isTooLong = firstEnd === -1
      chunk = isTooLong ? NOTHING : chunk.subarray(firstEnd + 1)
    }
    const end = chunk.lastIndexOf(LINE_FEED) + 1
    if (end === 0) {
      begun = Buffer.concat([begun, chunk])
    } else {
      yield* checked(Buffer.concat([begun, chunk.subarray(0, end)]))
      begun = chunk.subarray(end)
    }
    onBytes(read)
  }
  if (begun.length > 0) yield* checked(begun)
}
