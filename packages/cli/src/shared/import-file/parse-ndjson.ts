import type { ImportLine } from '@countersign/core'
import { CommandFailed } from '../command-failed.ts'
import type { LinesOfFile } from './read-lines.ts'

const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null && !Array.isArray(value)

const parseLine = (text: string, line: number): unknown => {
  try {
    return JSON.parse(text)
  } catch (cause) {
    // The message of the parser would quote the line.
    throw new CommandFailed(`line ${line}: must be a JSON object`, { cause })
  }
}

/**
 * Returns a check that a line holds only JSON that the database stores unchanged, as for request bodies. The check throws
 * CommandFailed.
 */
const createTextCheck = async () => {
  const { inspectJson, JsonRefused } = await import('@countersign/core')
  return (text: string, line: number): void => {
    try {
      inspectJson(text)
    } catch (cause) {
      if (!(cause instanceof JsonRefused)) throw cause
      throw new CommandFailed(`line ${line}: ${cause.path.length === 0 ? cause.takes : cause.message}`, { cause })
    }
  }
}

/**
 * Reads one JSON object per line and skips blank lines. Only line feeds end a line: `node:readline` also breaks at U+2028,
 * which may stand inside JSON text.
 */
export async function* parseNdjson(parts: AsyncIterable<LinesOfFile>): AsyncGenerator<ImportLine> {
  const checkText = await createTextCheck()
  for await (const { firstLine, bytes } of parts) {
    let line = firstLine
    for (const text of bytes.toString().split('\n')) {
      if (text.trim() !== '') {
        const value = parseLine(text, line)
        if (!isObject(value)) throw new CommandFailed(`line ${line}: must be a JSON object`)
        checkText(text, line)
        yield { line, value }
      }
      line += 1
    }
  }
}
