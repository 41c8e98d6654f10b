import { isSchemaObject, type Schema, type SchemaObject, subschemas } from '../draft-07.ts'
import type { CheckedSchema } from './check-schema.ts'
import { mostWorkOfPattern } from './compile-schema.ts'
import { costOf } from './keyword-costs.ts'
import { ALLOWANCE } from './meter.ts'

/** The bytes of the shortest item of an array (`1,`) and of the shortest member of an object (`"a":1,`). */
const BYTES_OF_ITEM = 2
const BYTES_OF_MEMBER = 6
/** More than `uniqueItems` spends for a byte, and more than `multipleOf` spends for the digits of one number. */
const UNITS_OF_UNIQUE_BYTE = 8
const UNITS_OF_DIVISION = 60

/** Returns whether a value with this many bytes of JSON could take too much work. Counts more than any can spend. */
export const canTakeTooMuchWork = ({ schema, patterns }: CheckedSchema, bytes: number): boolean => {
  const ofPattern = ({ pattern }: SchemaObject): number => {
    const compiled = typeof pattern === 'string' ? patterns.get(pattern) : undefined
    return compiled === undefined ? 0 : mostWorkOfPattern(compiled, bytes)
  }
  const workOf = (given: Schema, times: number): number => {
    if (!isSchemaObject(given)) return times
    const { fixed, perCharacter, perMember } = costOf(given)
    const divisions = given.multipleOf === undefined ? 0 : times * UNITS_OF_DIVISION
    const unique = given.uniqueItems === true ? bytes * UNITS_OF_UNIQUE_BYTE : 0
    const own =
      times * fixed + bytes * perCharacter + (bytes / BYTES_OF_MEMBER) * perMember + ofPattern(given) + divisions + unique
    return subschemas(given).reduce((sum, { schema: inner, path }) => {
      const isNamed = path[0] === 'properties'
      return sum + workOf(inner, isNamed ? times : bytes / BYTES_OF_ITEM)
    }, own)
  }
  return workOf(schema, 1) > ALLOWANCE
}
