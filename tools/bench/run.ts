import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'

const help = `Usage: npm run bench [-- <count>…] [--keep <directory>]

Makes databases of so many projects each (10000 and 100000 where none is said), asks for
lists of them, and prints what they cost as a Markdown table. A million takes a few minutes.
With --keep the databases stay in the directory, and are used again.`

const readCount = (text: string): number => {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new Error(`a count is a whole number, not ${text}`)
  return Number(text)
}

/** Measures what lists of projects cost. Resolves with the exit code. */
export const run = async (args: readonly string[]): Promise<number> => {
  try {
    const options = { keep: { type: 'string' }, help: { type: 'boolean', short: 'h' } } as const
    const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true })
    if (values.help) {
      console.log(help)
      return 0
    }
    const counts = positionals.length === 0 ? [10_000, 100_000] : positionals.map(readCount)
    const directory = values.keep ?? mkdtempSync(join(tmpdir(), 'countersign-bench-'))
    try {
      const { benchLists } = await import('./bench-lists.ts')
      console.log(await benchLists(counts, directory))
    } finally {
      if (values.keep === undefined) rmSync(directory, { recursive: true, force: true })
    }
    return 0
  } catch (error) {
    if (!(error instanceof Error)) throw error
    console.error(`error: ${error.message}`)
    return 1
  }
}
