import { extname } from 'node:path'
import type { ImportLine, RefusedLine } from '@countersign/core'
import { type Columns, parseCsv } from './parse-csv.ts'
import { parseNdjson } from './parse-ndjson.ts'
import { type LinesOfFile, readLines } from './read-lines.ts'

type Format = 'ndjson' | 'csv'

/** The format for each file extension. Without a known extension, the content decides. */
const formatOfExtension: Readonly<Record<string, Format>> = {
  '.ndjson': 'ndjson',
  '.jsonl': 'ndjson',
  '.json': 'ndjson',
  '.csv': 'csv',
}

/** Detects the format: a line of JSON begins with a brace, and a column name does not. */
const formatOfContent = ({ bytes }: LinesOfFile): Format => (/^\s*\{/.test(bytes.toString()) ? 'ndjson' : 'csv')

const isBlank = ({ bytes, unreadable }: LinesOfFile): boolean => unreadable === undefined && bytes.toString().trim() === ''

/** Returns the parts up to the first part with content. */
const readBeginning = async (parts: AsyncIterator<LinesOfFile>): Promise<readonly LinesOfFile[]> => {
  const beginning: LinesOfFile[] = []
  for (let next = await parts.next(); next.done !== true; next = await parts.next()) {
    beginning.push(next.value)
    if (!isBlank(next.value)) break
  }
  return beginning
}

/**
 * Detects the format from the beginning, then parses the beginning and the rest, because a pipe can be read only once. `fromRow`
 * converts the texts of a row of CSV. @throws CommandFailed if the header of CSV or the end of a row is wrong
 */
export async function* parseFile(
  path: string,
  columns: Columns,
  onBytes: (bytes: number) => void,
  fromRow: (row: Readonly<Record<string, string>>) => unknown = (row) => row,
): AsyncGenerator<ImportLine | RefusedLine> {
  const parts = readLines(path, onBytes)
  try {
    const beginning = await readBeginning(parts)
    const last = beginning.at(-1)
    if (last === undefined || isBlank(last)) return
    const all = async function* (): AsyncGenerator<LinesOfFile> {
      yield* beginning
      yield* parts
    }
    const format = formatOfExtension[extname(path).toLowerCase()] ?? formatOfContent(last)
    if (format === 'ndjson') yield* parseNdjson(all(), columns)
    else for await (const row of parseCsv(all(), columns)) yield 'reason' in row ? row : { ...row, value: fromRow(row.value) }
  } finally {
    await parts.return(undefined)
  }
}
