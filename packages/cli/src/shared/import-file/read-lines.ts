import { isUtf8 } from 'node:buffer'
import { createReadStream } from 'node:fs'
import { CommandFailed } from '../command-failed.ts'

/** A part of a file that holds whole lines: each line ends with a line feed, except the last line of the file. */
export interface LinesOfFile {
  /** The number of the first line in the file, from 1. */
  readonly firstLine: number
  /** The text in UTF-8. */
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

/**
 * Refuses lines that are not UTF-8. A line feed is never part of another character (RFC 3629 §3), so lines are split before
 * they are decoded.
 */
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
 * Reads a file in parts of a few lines, so that memory does not grow with the file. Removes a byte order mark.
 *
 * @param onBytes Called after each part with the number of bytes read so far.
 * @throws CommandFailed for a line that is not UTF-8 or longer than 1 MiB, and any error of reading
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
    // Lines inside one chunk are short enough. Only the line that began in an earlier chunk can be too long.
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
