import { type JSONPath, visit } from 'jsonc-parser'
import { changesDirection, directions } from '../../shared/hidden-characters.ts'
import { isExactNumber, takesExactNumber } from '../../shared/json/exact-number.ts'
import { JsonRefused } from '../../shared/json/json-refused.ts'

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
      if (changesDirection(name)) refuse(pathOf(), `must not have names that contain ${directions}`)
    },
    onLiteralValue: (value, offset, length, _line, _column, pathOf) => {
      if (typeof value === 'string' && changesDirection(value)) refuse(pathOf(), `must not contain ${directions}`)
      // The check of the canonical form refuses an infinite number.
      if (Number.isFinite(value) && !isExactNumber(text.slice(offset, offset + length))) {
        refuse(pathOf(), takesExactNumber)
      }
    },
  })
}
