import { isUtf8 } from 'node:buffer'
import { createReadStream } from 'node:fs'
import { CommandFailed } from '../../shared/command-failed.ts'

/** Some of a file's lines, all of them whole: each but the last of the file ends with a line feed. */
export interface LinesOfFile {
  /** The number of the first one in the file, from 1. */
  readonly firstLine: number
  /** UTF-8. */
  readonly bytes: Buffer
}

const LINE_FEED = 0x0a
const MOST_BYTES_OF_A_LINE = 1024 * 1024
const BYTE_ORDER_MARK = Buffer.from('\ufeff')

const withoutMark = (bytes: Buffer): Buffer =>
  bytes.subarray(0, BYTE_ORDER_MARK.length).equals(BYTE_ORDER_MARK) ? bytes.subarray(BYTE_ORDER_MARK.length) : bytes

const countLines = (bytes: Buffer): number => {
  let count = 0
  for (let at = bytes.indexOf(LINE_FEED); at !== -1; at = bytes.indexOf(LINE_FEED, at + 1)) count += 1
  return count
}

/** A line feed is never part of another character (RFC 3629 §3), so lines can be told apart before they are decoded. */
const requireUtf8 = ({ firstLine, bytes }: LinesOfFile): void => {
  if (isUtf8(bytes)) return
  let line = firstLine
  for (let from = 0; from < bytes.length; line += 1) {
    const end = bytes.indexOf(LINE_FEED, from)
    const next = end === -1 ? bytes.length : end + 1
    if (!isUtf8(bytes.subarray(from, next))) throw new CommandFailed(`line ${line}: must be UTF-8`)
    from = next
  }
}

/**
 * Reads a file some lines at a time; memory does not grow with the file. A byte order mark at its beginning is left out.
 *
 * @param onBytes Told after each part how many bytes of the file were read so far.
 * @throws CommandFailed for a line that is not UTF-8 or longer than 1 MiB, and what reading throws
 */
export async function* readLines(path: string, onBytes: (bytes: number) => void = () => {}): AsyncGenerator<LinesOfFile> {
  let read = 0
  let firstLine = 1
  let begun: Buffer = Buffer.alloc(0)
  const checked = (bytes: Buffer): LinesOfFile => {
    const lines = { firstLine, bytes: firstLine === 1 ? withoutMark(bytes) : bytes }
    requireUtf8(lines)
    firstLine += countLines(bytes)
    return lines
  }

  for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
    read += chunk.length
    // A line that lies within one chunk is shorter: only the one that was begun before can have become too long.
    const firstEnd = chunk.indexOf(LINE_FEED)
    const more = firstEnd === -1 ? chunk.length : firstEnd
    if (begun.length + more > MOST_BYTES_OF_A_LINE) throw new CommandFailed(`line ${firstLine}: must be at most 1 MiB`)
    const end = chunk.lastIndexOf(LINE_FEED) + 1
    if (end === 0) {
      begun = Buffer.concat([begun, chunk])
    } else {
      yield checked(Buffer.concat([begun, chunk.subarray(0, end)]))
      begun = chunk.subarray(end)
    }
    onBytes(read)
  }
  if (begun.length > 0) yield checked(begun)
}
