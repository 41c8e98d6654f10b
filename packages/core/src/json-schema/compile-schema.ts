import { Ajv } from 'ajv'
import type { CheckedSchema } from './check-schema.ts'
import { type Complaint, toComplaints } from './complaints.ts'
import { createMeter, type Meter, TooMuchWork } from './meter.ts'
import { metered } from './metered.ts'
import { ownKeywords } from './own-keywords.ts'
import type { Pattern } from './pattern.ts'
import { plainValueComplaint } from './plain-value.ts'
import { toUriFragment } from './schema.ts'

/** What is wrong with a value; nothing where it is valid. */
export type Validate = (value: unknown) => readonly Complaint[]

const complaint = (message: string): Complaint => ({ field: '', message })

/** A value nested deep enough can use up the stack of a schema with much in it before it uses up the allowance. */
const isTooMuchWork = (error: unknown): boolean => error instanceof TooMuchWork || error instanceof RangeError

const CHARACTERS_A_UNIT = 16
/** Up to this size a pattern has so few states of its automaton that each is soon known and only looked up. */
const SMALL_PATTERN = 11
const WORK_OF_A_STATE = 16

/** Known states cost little for each character; a new one costs what the pattern's size says. */
const costOfMatching = ({ size }: Pattern, characters: number): number => {
  const newStates = size <= SMALL_PATTERN ? Math.min(characters + 1, 2 ** size) : characters + 1
  return newStates * (size + WORK_OF_A_STATE) + characters / CHARACTERS_A_UNIT
}

const meteredEngine = (patterns: CheckedSchema['patterns'], meter: Meter) =>
  Object.assign(
    (source: string) => {
      const pattern = patterns.get(source)
      if (pattern === undefined) throw new Error('a pattern was not checked')
      return {
        toString: () => source,
        test: (text: string) => {
          meter.spend(costOfMatching(pattern, text.length))
          return pattern.test(text)
        },
      }
    },
    // The name in code written for later use, which is not done here.
    { code: 'none' },
  )

/** The library, set to what draft-07 says and with its work counted. */
const createEngine = ({ patterns }: CheckedSchema) => {
  const meter = createMeter()
  const ajv = new Ajv({
    strict: false,
    allErrors: true,
    ownProperties: true,
    inlineRefs: false,
    messages: false,
    meta: false,
    validateSchema: false,
    validateFormats: false,
    logger: false,
    code: { regExp: meteredEngine(patterns, meter) },
  })
  for (const keyword of ownKeywords(meter)) ajv.removeKeyword(String(keyword.keyword)).addKeyword(keyword)
  return { ajv, meter }
}

/**
 * Makes a validator of a checked schema. It ends within 50 ms, whatever the value: its work is counted, and a value that
 * takes too much of it is complained of like any other. `format` is a note, as draft-07 allows: a `pattern` decides.
 */
export const compileSchema = (checked: CheckedSchema): Validate => {
  const { ajv, meter } = createEngine(checked)
  const isValid = ajv.compile(metered(checked.schema))

  const validate = (value: unknown): readonly Complaint[] => {
    meter.reset()
    try {
      return isValid(value) ? [] : toComplaints(isValid.errors ?? [], value)
    } catch (error) {
      if (isTooMuchWork(error)) return [complaint('must be smaller or simpler: checking it takes too much work')]
      throw error
    }
  }
  // JavaScript engines read generated code when it first runs, which takes as long as hundreds of validations.
  validate({})

  return (value) => {
    const message = plainValueComplaint(value)
    return message === undefined ? validate(value) : [complaint(message)]
  }
}

/**
 * Makes validators of the schemas within a checked schema, by the pointers to them. They tell whether a value is valid;
 * `undefined` where that takes too much work.
 */
export const compileParts = (checked: CheckedSchema): ((pointer: string) => (value: unknown) => boolean | undefined) => {
  const { ajv, meter } = createEngine(checked)
  ajv.addSchema(metered(checked.schema), 'document')
  return (pointer) => {
    const isValid = ajv.compile({ $ref: `document${toUriFragment(pointer)}` })
    return (value) => {
      meter.reset()
      try {
        return isValid(value)
      } catch (error) {
        if (isTooMuchWork(error)) return undefined
        throw error
      }
    }
  }
}
