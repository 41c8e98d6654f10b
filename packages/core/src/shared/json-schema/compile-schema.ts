import { Ajv } from 'ajv'
import type { CheckedSchema } from './check-schema.ts'
import { type Complaint, toComplaints } from './complaints.ts'
import { ALLOWANCE, createMeter, type Meter, TooMuchWork } from './meter.ts'
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

const CHARACTERS_A_UNIT = 4
/** Up to this size a pattern cannot have many states, however long the text. */
const SMALL_PATTERN = 11
const WORK_OF_A_STATE = 16

/** Matches, and tells the meter what it took: little for each character, and more for each state that was not known yet. */
const meteredTest = (pattern: Pattern, text: string, meter: Meter): boolean => {
  const { size } = pattern
  const mostStates = Math.min(text.length + 1, size <= SMALL_PATTERN ? 2 ** size : Number.POSITIVE_INFINITY)
  const workOfAState = size + WORK_OF_A_STATE
  // What could use up the whole allowance is not begun.
  if (mostStates * workOfAState > ALLOWANCE) meter.spend(mostStates * workOfAState)
  const before = pattern.statesMade()
  const matches = pattern.test(text)
  const made = pattern.statesMade() - before
  // States are forgotten where they are too many; then it is not known how many were made.
  meter.spend((made < 0 ? mostStates : made) * workOfAState + text.length / CHARACTERS_A_UNIT)
  return matches
}

const meteredEngine = (patterns: CheckedSchema['patterns'], meter: Meter) =>
  Object.assign(
    (source: string) => {
      const pattern = patterns.get(source)
      if (pattern === undefined) throw new Error('a pattern was not checked')
      return {
        toString: () => source,
        test: (text: string) => meteredTest(pattern, text, meter),
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
