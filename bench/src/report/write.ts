import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Result } from './result.ts'
import { toMarkdown, toSummary } from './tables.ts'

/** The line between the text written by hand and the generated results. */
const MARK = '<!-- `npm run bench` generates everything below from benchmarks.json. The text above is written by hand. -->'
const HEADING = '# Benchmarks\n'

interface Kept {
  /** The versions of the measured libraries and of the measuring tools. */
  readonly versions: string
  readonly results: readonly Result[]
}

const read = (path: string): readonly Result[] =>
  existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as Kept).results : []

const handwritten = (path: string): string =>
  (existsSync(path) ? readFileSync(path, 'utf8') : HEADING).split(MARK)[0]?.trimEnd() ?? HEADING

/**
 * Stores results in `benchmarks.json` of a folder, and shows all results in `benchmarks.md` beside it. A result replaces the
 * earlier result of its benchmark.
 *
 * @param order The names of the benchmarks, in the order of the report.
 */
export const writeReport = (
  directory: string,
  results: readonly Result[],
  { versions, order }: { readonly versions: string; readonly order: readonly string[] },
): void => {
  mkdirSync(directory, { recursive: true })
  const [json, markdown] = [join(directory, 'benchmarks.json'), join(directory, 'benchmarks.md')]
  const all = new Map([...read(json), ...results].map((result) => [result.name, result]))
  const shown = order.flatMap((name) => all.get(name) ?? [])
  writeFileSync(json, `${JSON.stringify({ versions, results: shown } satisfies Kept, undefined, 2)}\n`)
  const text = [
    handwritten(markdown),
    MARK,
    toSummary(shown),
    ...shown.map(toMarkdown),
    `Compared libraries and tools: ${versions}.`,
  ].join('\n\n')
  writeFileSync(markdown, `${text}\n`)
}
