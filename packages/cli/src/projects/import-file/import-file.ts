import { extname } from 'node:path'
import type { Countersign, ImportCounts, ImportLine } from '@countersign/core'
import type { CommandContext } from '../../shared/command-context.ts'
import { sizeOfFile } from '../../shared/file-size.ts'
import { withCountersign } from '../../shared/open-database.ts'
import type { Answer } from '../../shared/output.ts'
import { parseCsv } from './parse-csv.ts'
import { parseNdjson } from './parse-ndjson.ts'
import { showProgress } from './progress.ts'
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

const isBlank = ({ bytes }: LinesOfFile): boolean => bytes.toString().trim() === ''

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
 * Detects the format from the beginning of the file, then parses the beginning and the rest, because a pipe can be read only
 * once.
 */
async function* parseFile(
  path: string,
  columns: readonly string[],
  onBytes: (bytes: number) => void,
): AsyncGenerator<ImportLine> {
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
 * Imports a file of NDJSON or CSV, all lines or none, and shows the progress on a terminal.
 *
 * @param kind The kind of the lines.
 * @throws CommandFailed, InvalidImportLine, each with the number of the bad line
 */
export const importFile = async (
  context: CommandContext,
  path: string,
  kind: 'resource' | 'expense',
  chooseImport: (countersign: Countersign) => Import,
): Promise<Answer> => {
  const progress = showProgress(await sizeOfFile(path), context.stderr)
  try {
    const counts = await withCountersign(context, async (countersign) => {
      const { importMembers } = await import('@countersign/core')
      const lines = parseFile(path, importMembers[kind], progress.bytes)
      return chooseImport(countersign)({ lines, onProgress: progress.lines })
    })
    return { json: counts, text: `Imported ${counts.imported} new, updated ${counts.updated}` }
  } finally {
    progress.stop()
  }
}
