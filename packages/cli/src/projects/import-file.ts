import type { Countersign, ImportLine, RefusedLine } from '@countersign/core'
import type { CommandContext } from '../shared/command-context.ts'
import { CommandFailed } from '../shared/failures.ts'
import { parseFile } from '../shared/import-file/parse-file.ts'
import { withCountersign } from '../shared/open-database.ts'
import { type Answer, NOTHING_TO_DO } from '../shared/output.ts'
import { showBar } from '../shared/progress-bar.ts'
import { sizeOfFile } from '../shared/read-at-most.ts'

/** Passes the lines on. A line that could not be parsed ends the import. */
async function* requireParsed(lines: AsyncIterable<ImportLine | RefusedLine>): AsyncGenerator<ImportLine> {
  for await (const line of lines) {
    if ('reason' in line) throw new CommandFailed(`line ${line.line}: ${line.reason}`)
    yield line
  }
}

/** Imports a file of NDJSON or CSV, all lines or none. @throws CommandFailed, InvalidImportLine, with the number of the line */
export const importFile = async (
  context: CommandContext,
  path: string,
  kind: 'resource' | 'expense',
  chooseImport: (countersign: Countersign) => Countersign['resources' | 'expenses']['import'],
): Promise<Answer> => {
  const bar = showBar(await sizeOfFile(path), context.stderr, '{lines} lines', { lines: 0 })
  try {
    const counts = await withCountersign(context, async (countersign) => {
      const { importMembers } = await import('@countersign/core')
      const lines = requireParsed(parseFile(path, { required: importMembers[kind] }, (bytes) => bar.update(bytes)))
      return chooseImport(countersign)({ lines, onProgress: (count) => bar.update({ lines: count }) })
    })
    const text = `Imported ${counts.imported} new, updated ${counts.updated}`
    return { json: counts, text: counts.imported + counts.updated === 0 ? [text, NOTHING_TO_DO] : text }
  } finally {
    bar.stop()
  }
}
