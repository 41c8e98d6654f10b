import { Ajv, type ErrorObject } from 'ajv'
import { type Schema, toPointer, toUriFragment } from '../draft-07.ts'
import type { CheckedSchema } from './check-schema.ts'
import { type Complaint, toComplaints } from './complaints.ts'
import { customKeywords } from './custom-keywords.ts'
import { withCosts } from './keyword-costs.ts'
import { ALLOWANCE, createMeter, type Meter, TooMuchWork } from './meter.ts'
import type { Pattern } from './pattern.ts'
import { plainValueComplaint } from './plain-value.ts'

/** Returns the complaints about a value; an empty list if the value is valid. */
export type Validate = (value: unknown) => readonly Complaint[]

const complaint = (message: string): Complaint => ({ field: '', message })

/** Returns whether a validation ended early. A deeply nested value can overflow the stack (RangeError) first. */
const isTooMuchWork = (error: unknown): boolean => error instanceof TooMuchWork || error instanceof RangeError

const CHARACTERS_PER_UNIT = 4
/** A pattern of at most this size has few states, for texts of any length. */
const SMALL_PATTERN = 11
const COST_OF_STATE = 16

/** Returns the most states of the automaton that a text of this length can make. */
const mostStatesOf = ({ size }: Pattern, length: number): number =>
  Math.min(length + 1, size <= SMALL_PATTERN ? 2 ** size : Number.POSITIVE_INFINITY)

/** Returns the most work that texts with this many characters together can make for a pattern. */
export const mostWorkOfPattern = (pattern: Pattern, length: number): number =>
  mostStatesOf(pattern, length) * (pattern.size + COST_OF_STATE) + length / CHARACTERS_PER_UNIT

/** Matches a text and spends the cost from the meter: a little for each character, more for each new state of the automaton. */
const meteredTest = (pattern: Pattern, text: string, meter: Meter): boolean => {
  const mostStates = mostStatesOf(pattern, text.length)
  const costOfState = pattern.size + COST_OF_STATE
  // A match that could use up the whole allowance does not start.
  if (mostStates * costOfState > ALLOWANCE) meter.spend(mostStates * costOfState)
  const before = pattern.statesMade()
  const matches = pattern.test(text)
  const made = pattern.statesMade() - before
  // The automaton drops its states when there are too many. Then the number of new states is unknown.
  meter.spend((made < 0 ? mostStates : made) * costOfState + text.length / CHARACTERS_PER_UNIT)
  return matches
}

const meteredEngine = (patterns: CheckedSchema['patterns'], meter: Meter) =>
  Object.assign(
    (source: string) => {
      const pattern = patterns.get(source)
      if (pattern === undefined) throw new Error('a pattern was not checked')
      return { toString: () => source, test: (text: string) => meteredTest(pattern, text, meter) }
    },
    // Ajv requires `code`, the name of this function in generated standalone code. None is generated here.
    { code: 'none' },
  )

/** Makes an Ajv instance that follows draft-07, with a meter for its work. */
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
  for (const keyword of customKeywords(meter)) ajv.removeKeyword(String(keyword.keyword)).addKeyword(keyword)
  return { ajv, meter }
}

/** Holds the schemas that only a `$ref` names, by pointer, because they are below no keyword that Ajv knows. */
const DETACHED = 'x-countersign-detached'

interface Compiled {
  readonly document: object
  /** Returns the reference to use in this document for a reference of the checked schema. */
  readonly referTo: (reference: string) => string
}

/** Adds costs, and moves the schemas that only references name to a place where `$async` is no keyword of Ajv. */
const documentOf = ({ schema, schemas, detached }: CheckedSchema): Compiled => {
  // The longest comes first, because one such schema can be a part of another.
  const pointers = detached.map(toPointer).toSorted((one, other) => other.length - one.length)
  const referTo = (reference: string): string => {
    const moved = pointers.find((pointer) => `${reference}/`.startsWith(`${toUriFragment(pointer)}/`))
    if (moved === undefined) return reference
    return toUriFragment(toPointer([DETACHED, moved])) + reference.slice(toUriFragment(moved).length)
  }
  const parts = pointers.map((pointer) => [pointer, withCosts(schemas.get(pointer) as Schema, referTo)] as const)
  return { document: { ...(withCosts(schema, referTo) as object), [DETACHED]: Object.fromEntries(parts) }, referTo }
}

/** Makes a function that returns what is wrong with a JSON value; `undefined` if checking the value takes too much work. */
const compile = (checked: CheckedSchema): ((value: unknown) => readonly ErrorObject[] | undefined) => {
  const { ajv, meter } = createEngine(checked)
  const isValid = ajv.compile(documentOf(checked).document)
  const validate = (value: unknown): readonly ErrorObject[] | undefined => {
    meter.reset()
    try {
      return isValid(value) ? [] : (isValid.errors ?? [])
    } catch (error) {
      if (isTooMuchWork(error)) return undefined
      throw error
    }
  }
  // The first run of generated code is slow, because the JavaScript engine parses the code then.
  validate({})
  return validate
}

/** The complaint about a value whose check takes too much work. */
export const TOO_MUCH_WORK = 'must be smaller or simpler: checking it takes too much work'

/** Makes a validator of a checked schema. A validation takes at most 50 ms. `format` is only an annotation; use `pattern`. */
export const compileSchema = (checked: CheckedSchema): Validate => {
  const validate = compile(checked)
  return (value) => {
    const message = plainValueComplaint(value)
    if (message !== undefined) return [complaint(message)]
    const errors = validate(value)
    return errors === undefined ? [complaint(TOO_MUCH_WORK)] : toComplaints(errors, value)
  }
}

/** Returns whether a schema accepts a value; `undefined` if the value cannot be checked. */
export type Accepts = (value: unknown) => boolean | undefined

/** Makes a function that says whether a value satisfies a schema: neither yes nor no for a value that takes too much work. */
export const compileChoice = (checked: CheckedSchema): Accepts => {
  const validate = compile(checked)
  return (value) => {
    const errors = plainValueComplaint(value) === undefined ? validate(value) : undefined
    return errors && errors.length === 0
  }
}

export interface WorkBudget {
  units: number
}

const COST_OF_VALIDATOR = 20_000

/** Makes a validator of the subschemas of a checked schema, by pointer; `undefined` for too much work, or without budget. */
export const compileParts = (
  checked: CheckedSchema,
  budget: WorkBudget,
): ((pointer: string, value: unknown) => boolean | undefined) => {
  const { ajv, meter } = createEngine(checked)
  const { document, referTo } = documentOf(checked)
  ajv.addSchema(document, 'document')
  const validators = new Map<string, (value: unknown) => unknown>()
  return (pointer, value) => {
    if (!validators.has(pointer)) budget.units -= COST_OF_VALIDATOR
    if (budget.units < 0) return undefined
    meter.reset()
    try {
      const isValid = validators.get(pointer) ?? ajv.compile({ $ref: `document${referTo(toUriFragment(pointer))}` })
      validators.set(pointer, isValid)
      return isValid(value) === true
    } catch (error) {
      if (isTooMuchWork(error)) return undefined
      throw error
    } finally {
      budget.units -= meter.spent()
    }
  }
}
