import type { ImportLine, RefusedLine } from '@countersign/core'
import { parseJson } from '../parse-json.ts'
import type { Columns } from './parse-csv.ts'
import type { LinesOfFile } from './read-lines.ts'

const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null && !Array.isArray(value)

/** Makes a parser of lines. As in request bodies, a line can contain only JSON that the database stores unchanged. */
const createLineParser = async ({ required, optional = [] }: Columns) => {
  const { errors, inspectJson } = await import('@countersign/core')
  // CSV has the member `id` of `employee` in the column `employee.id`.
  const members = new Set([...required, ...optional].map((column) => column.split('.')[0]))
  return (text: string, line: number): ImportLine | RefusedLine => {
    const value = parseJson(text)
    if (!isObject(value)) return { line, reason: 'must be a JSON object' }
    try {
      inspectJson(text, { isKept: (member) => members.has(member) })
    } catch (cause) {
      if (!(cause instanceof errors.JsonRefused)) throw cause
      return { line, reason: cause.path.length === 0 ? cause.takes : cause.message }
    }
    return { line, value }
  }
}

/** Reads one JSON object per line, and refuses only lines without one. `node:readline` also breaks at U+2028, inside JSON. */
export async function* parseNdjson(
  parts: AsyncIterable<LinesOfFile>,
  columns: Columns,
): AsyncGenerator<ImportLine | RefusedLine> {
  const parseLine = await createLineParser(columns)
  for await (const { firstLine, bytes, unreadable } of parts) {
    if (unreadable !== undefined) {
      yield { line: firstLine, reason: unreadable }
      continue
    }
    let line = firstLine
    for (const text of bytes.toString().split('\n')) {
      if (text.trim() !== '') yield parseLine(text, line)
      line += 1
    }
  }
}
