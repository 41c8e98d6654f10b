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

/** The library's own messages quote the file. */
const toFailure = (error: unknown): unknown => {
  if (!(error instanceof CsvError)) return error
  const complaint = complaints[error.code] ?? 'must be CSV: a quote within a field is doubled, and the field is quoted'
  return new CommandFailed(`line ${String(error.lines)}: ${complaint}`)
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

const checkedHeader =
  (columns: readonly string[]) =>
  (header: string[]): string[] => {
    const isWhole = columns.every((column) => header.filter((name) => name === column).length === 1)
    if (!isWhole) throw new CommandFailed(`line 1: must name the columns ${columns.join(', ')}, separated by commas`)
    return header
  }

/**
 * Reads CSV (RFC 4180) whose first line names the columns, in any order; further ones are passed on. Empty lines are left out.
 *
 * @param columns Those that must be there.
 */
export async function* parseCsv(parts: AsyncIterable<LinesOfFile>, columns: readonly string[]): AsyncGenerator<ImportLine> {
  const parser: Parser = parse({
    columns: checkedHeader(columns),
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
    throw toFailure(error)
  }
}
