import { extname } from 'node:path'
import type { Countersign, ImportCounts, ImportLine } from '@countersign/core'
import { sizeOfFile } from '../file-size.ts'
import { withCountersign } from '../open-database.ts'
import type { Answer } from '../output.ts'
import { parseCsv } from './parse-csv.ts'
import { parseNdjson } from './parse-ndjson.ts'
import { showProgress } from './progress.ts'
import { type LinesOfFile, readLines } from './read-lines.ts'

type Format = 'ndjson' | 'csv'

/** What an extension says; where it says nothing, the content does. */
const formatOfExtension: Readonly<Record<string, Format>> = {
  '.ndjson': 'ndjson',
  '.jsonl': 'ndjson',
  '.json': 'ndjson',
  '.csv': 'csv',
}

/** Lines of JSON begin with a brace; a name of a column does not. */
const formatOfContent = (bytes: Buffer): Format => (/^\s*\{/.test(bytes.toString()) ? 'ndjson' : 'csv')

/** Looks at the first part, and gives it back with the rest. */
async function* parseFile(
  path: string,
  columns: readonly string[],
  onBytes: (bytes: number) => void,
): AsyncGenerator<ImportLine> {
  const parts = readLines(path, onBytes)
  try {
    const first = await parts.next()
    if (first.done === true) return
    const all = async function* (): AsyncGenerator<LinesOfFile> {
      yield first.value
      yield* parts
    }
    const format = formatOfExtension[extname(path).toLowerCase()] ?? formatOfContent(first.value.bytes)
    yield* format === 'ndjson' ? parseNdjson(all()) : parseCsv(all(), columns)
  } finally {
    await parts.return(undefined)
  }
}

type Import = (input: {
  readonly lines: AsyncIterable<ImportLine>
  readonly onProgress: (lines: number) => void
}) => Promise<ImportCounts>

/**
 * Imports a file of NDJSON or CSV, all of it or nothing, and shows how far it is on a terminal.
 *
 * @param kind What the lines are.
 * @throws CommandFailed, InvalidImportLine, each naming the bad line by its number in the file
 */
export const importFile = async (
  path: string,
  kind: 'resource' | 'expense',
  chooseImport: (countersign: Countersign) => Import,
): Promise<Answer> => {
  const progress = showProgress(await sizeOfFile(path), process.stderr)
  try {
    const counts = await withCountersign(async (countersign) => {
      const { importMembers } = await import('@countersign/core')
      const lines = parseFile(path, importMembers[kind], progress.bytes)
      return chooseImport(countersign)({ lines, onProgress: progress.lines })
    })
    return { json: counts, text: () => `Imported ${counts.imported} new, updated ${counts.updated}` }
  } finally {
    progress.stop()
  }
}
