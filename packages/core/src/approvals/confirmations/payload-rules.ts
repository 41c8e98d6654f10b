import { type JSONPath, visit } from 'jsonc-parser'
import { isExactNumber } from '../../shared/json/exact-number.ts'
import { JsonRefused } from '../../shared/json/json-refused.ts'

/** Embeddings, overrides and isolates of direction (UAX #9 §2). With them, a text looks different from what it says. */
const DIRECTIONS = /[\u202A-\u202E\u2066-\u2069]/u

const direction = 'U+202A to U+202E or U+2066 to U+2069, which change the direction of text'

/**
 * Checks that a payload reads the same for everybody who reads its text: numbers have the digits of their doubles, and no name or
 * text changes the direction of reading. The signed, the stored and the shown values are then the same.
 *
 * @param text Valid JSON.
 * @throws JsonRefused naming the member
 */
export const requireReadable = (text: string): void => {
  const refuse = (path: JSONPath, takes: string): never => {
    throw new JsonRefused(['actionPayload', ...path], takes)
  }
  visit(text, {
    onObjectProperty: (name, _offset, _length, _line, _column, pathOf) => {
      if (DIRECTIONS.test(name)) refuse(pathOf(), `must not have names that contain ${direction}`)
    },
    onLiteralValue: (value, offset, length, _line, _column, pathOf) => {
      if (typeof value === 'string' && DIRECTIONS.test(value)) refuse(pathOf(), `must not contain ${direction}`)
      // The check of the canonical form refuses an infinite number.
      if (Number.isFinite(value) && !isExactNumber(text.slice(offset, offset + length))) {
        refuse(pathOf(), 'must be a number that a double holds with all its digits; send a longer number as text')
      }
    },
  })
}
