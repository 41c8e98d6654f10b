import type { ImportLine } from '@countersign/core'
import { CommandFailed } from '../../shared/command-failed.ts'
import type { LinesOfFile } from './read-lines.ts'

const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null && !Array.isArray(value)

const parseLine = (text: string, line: number): unknown => {
  try {
    return JSON.parse(text)
  } catch (cause) {
    // What the parser says would quote the line.
    throw new CommandFailed(`line ${line}: must be a JSON object`, { cause })
  }
}

/** Makes the check that a line says only what can be kept, as a body of a request must. It throws CommandFailed. */
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
 * Reads JSON objects, one a line; lines of white space are left out. Only line feeds end a line: U+2028, at which
 * `node:readline` breaks as well, may stand in a text of JSON.
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
