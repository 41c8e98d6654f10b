import type { ImportLine } from '@countersign/core'
import { CommandFailed } from '../command-failed.ts'
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

/**
 * Reads JSON objects, one a line; lines of white space are left out. Only line feeds end a line: U+2028, at which
 * `node:readline` breaks as well, may stand in a text of JSON.
 */
export async function* parseNdjson(parts: AsyncIterable<LinesOfFile>): AsyncGenerator<ImportLine> {
  for await (const { firstLine, bytes } of parts) {
    let line = firstLine
    for (const text of bytes.toString().split('\n')) {
      if (text.trim() !== '') {
        const value = parseLine(text, line)
        if (!isObject(value)) throw new CommandFailed(`line ${line}: must be a JSON object`)
        yield { line, value }
      }
      line += 1
    }
  }
}
