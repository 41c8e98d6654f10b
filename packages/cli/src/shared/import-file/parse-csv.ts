import { pipeline, Readable } from 'node:stream'
import type { RefusedLine } from '@countersign/core'
import { CsvError, type Options, parse } from 'csv-parse'
import { CommandFailed } from '../failures.ts'
import type { LinesOfFile } from './read-lines.ts'

/** A row with the number of its first line. */
export interface CsvRow {
  readonly line: number
  readonly value: Readonly<Record<string, string>>
}

const MOST_CHARACTERS_OF_A_ROW = 1024 * 1024

const complaints: Readonly<Record<string, string>> = {
  CSV_QUOTE_NOT_CLOSED: 'must close the quote that it opens',
  CSV_MAX_RECORD_SIZE: 'must be at most 1 MiB',
}

/** Numbers the rows by their first lines. The library counts a CR inside a field as a line end, unlike editors. */
const countRows = () => {
  let linesOfRows = 0
  return {
    /** Returns the first line of the next row. @param emptyLines The number of empty lines in the file before this row. */
    nextLine: (emptyLines: number): number => linesOfRows + emptyLines + 1,
    add: (fields: readonly string[]): void => {
      linesOfRows += fields.reduce((lines, field) => (field.includes('\n') ? lines + field.split('\n').length - 1 : lines), 1)
    },
  }
}

/** Converts an error of the library, whose messages quote the file, and which names the end of the file for an unclosed quote. */
const toFailure = (error: unknown, nextLine: (emptyLines: number) => number): unknown => {
  if (!(error instanceof CsvError)) return error
  const complaint = complaints[error.code] ?? 'must be CSV: a quote within a field is doubled, and the field is quoted'
  return new CommandFailed(`line ${nextLine(Number(error.empty_lines))}: ${complaint}`)
}

export interface Columns {
  readonly required: readonly string[]
  /** The columns that a file may also have. Without this list, any other column is passed on. */
  readonly optional?: readonly string[]
}

const checkHeader = (header: readonly string[], { required, optional }: Columns, line: number): void => {
  const names = `${required.length === 1 ? 'column' : 'columns'} ${required.join(', ')}`
  if (!required.every((column) => header.includes(column)))
    throw new CommandFailed(`line ${line}: must name the ${names}, in this spelling, separated by commas`)
  if (required.some((column) => header.indexOf(column) !== header.lastIndexOf(column)))
    throw new CommandFailed(`line ${line}: must name the ${names} once`)
  if (optional === undefined) return
  const known = [...required, ...optional]
  if (header.some((name, at) => !known.includes(name) || header.indexOf(name) !== at))
    throw new CommandFailed(`line ${line}: must name only the columns ${known.join(', ')}, each once`)
}

async function* bytesOf(parts: AsyncIterable<LinesOfFile>): AsyncGenerator<Buffer> {
  for await (const { firstLine, bytes, unreadable } of parts) {
    // A line may be part of a quoted field, so the row of this line is not known.
    if (unreadable !== undefined) throw new CommandFailed(`line ${firstLine}: ${unreadable}`)
    yield bytes
  }
}

/**
 * Reads CSV (RFC 4180), whose first line names the columns in any order. Skips empty lines and rows of commas alone, and refuses
 * only the row with another number of fields. @throws CommandFailed for a missing column, and for a row without an end, as after an
 * unclosed quote
 */
export async function* parseCsv(parts: AsyncIterable<LinesOfFile>, columns: Columns): AsyncGenerator<CsvRow | RefusedLine> {
  const { nextLine, add } = countRows()
  let header: readonly string[] | undefined
  const options: Options<CsvRow | RefusedLine, string[]> = {
    on_record: (fields, { empty_lines }) => {
      const line = nextLine(empty_lines)
      add(fields)
      // Excel leaves such rows where cells were cleared.
      if (fields.length > 1 && fields.every((field) => field === '')) return null
      if (header === undefined) {
        checkHeader(fields, columns, line)
        header = fields
        return null
      }
      if (fields.length !== header.length) return { line, reason: 'must have as many fields as the first line' }
      return { line, value: Object.fromEntries(header.map((name, at) => [name, fields[at] ?? ''])) }
    },
    relax_column_count: true,
    record_delimiter: ['\r\n', '\n'],
    skip_empty_lines: true,
    max_record_size: MOST_CHARACTERS_OF_A_ROW,
  }
  // The types of csv-parse allow the row hook only together with known columns.
  const parser = parse(options as unknown as Options)
  // An error on either side ends the other side and is thrown below.
  pipeline(Readable.from(bytesOf(parts)), parser, () => {})
  try {
    yield* parser as AsyncIterable<CsvRow | RefusedLine>
  } catch (error) {
    throw toFailure(error, nextLine)
  }
}
