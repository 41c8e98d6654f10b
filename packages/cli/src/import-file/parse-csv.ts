import { pipeline, Readable } from 'node:stream'
import type { ImportLine } from '@countersign/core'
import { CsvError, type Info, type Parser, parse } from 'csv-parse'
import { CommandFailed } from '../command-failed.ts'
import type { LinesOfFile } from './read-lines.ts'

interface Row {
  readonly info: Info
  readonly record: Readonly<Record<string, string>>
}

const MOST_CHARACTERS_OF_A_ROW = 1024 * 1024

const complaints: Readonly<Record<string, string>> = {
  CSV_RECORD_INCONSISTENT_COLUMNS: 'must have as many fields as the first line',
  CSV_QUOTE_NOT_CLOSED: 'must close the quote that it opens',
  CSV_MAX_RECORD_SIZE: 'must be at most 1 MiB',
}

/** Where the parser is: the last line of the last row, and how many empty lines there were before. */
interface Place {
  lines: number
  empty_lines: number
}

/** A quote that is never closed swallows what follows, and is found at its end; people look for its beginning. */
const UNENDING = ['CSV_QUOTE_NOT_CLOSED', 'CSV_MAX_RECORD_SIZE']

/** The library's own messages quote the file. */
const toFailure = (error: unknown, { lines, empty_lines }: Place): unknown => {
  if (!(error instanceof CsvError)) return error
  const line = UNENDING.includes(error.code) ? lines + 1 + (Number(error.empty_lines) - empty_lines) : Number(error.lines)
  const complaint = complaints[error.code] ?? 'must be CSV: a quote within a field is doubled, and the field is quoted'
  return new CommandFailed(`line ${line}: ${complaint}`)
}

/** Quoted fields may go over several lines. The library tells the last of a row; people look for the first. */
const firstLineOf = ({ info, record }: Row): number =>
  Object.values(record).reduce((line, field) => (field.includes('\n') ? line - field.split('\n').length + 1 : line), info.lines)

/** Windows' line ends become plain ones, so that a file of both is read as well, and every line is counted once. */
async function* withPlainLineEnds(parts: AsyncIterable<LinesOfFile>): AsyncGenerator<Buffer> {
  for await (const { bytes } of parts) {
    yield bytes.includes('\r\n') ? Buffer.from(bytes.toString('latin1').replaceAll('\r\n', '\n'), 'latin1') : bytes
  }
}

const checkHeader = (header: readonly string[], columns: readonly string[]): void => {
  const isWhole = columns.every((column) => header.filter((name) => name === column).length === 1)
  if (!isWhole) throw new CommandFailed(`line 1: must name the columns ${columns.join(', ')}, separated by commas`)
}

/**
 * Reads CSV (RFC 4180) whose first line names the columns, in any order; further ones are passed on. Empty lines are left out.
 *
 * @param columns Those that must be there.
 */
export async function* parseCsv(parts: AsyncIterable<LinesOfFile>, columns: readonly string[]): AsyncGenerator<ImportLine> {
  const place: Place = { lines: 0, empty_lines: 0 }
  const parser: Parser = parse({
    columns: (header: string[]) => {
      checkHeader(header, columns)
      place.lines = 1
      return header
    },
    on_record: (record, { lines, empty_lines }) => {
      Object.assign(place, { lines, empty_lines })
      return record
    },
    info: true,
    record_delimiter: '\n',
    skip_empty_lines: true,
    max_record_size: MOST_CHARACTERS_OF_A_ROW,
  })
  // What fails on either side ends the other, and is thrown below.
  pipeline(Readable.from(withPlainLineEnds(parts)), parser, () => {})
  try {
    for await (const row of parser as AsyncIterable<Row>) yield { line: firstLineOf(row), value: row.record }
  } catch (error) {
    throw toFailure(error, place)
  }
}
