import type { ErrorObject } from 'ajv'

/** A message about one invalid field of a value. */
export interface Complaint {
  /** The path to the field: `deployment.type`, `platforms[1]`; empty for the value itself. */
  readonly field: string
  /** The rule that the field breaks: `must be a string`. */
  readonly message: string
}

const MOST_COMPLAINTS = 20
const MOST_CHARACTERS = 200

export const short = (text: string): string => (text.length <= MOST_CHARACTERS ? text : `${text.slice(0, MOST_CHARACTERS)}…`)

/** Returns the path to a member of the value at `field`. */
export const within = (field: string, name: string): string => (field === '' ? name : `${field}.${name}`)

/** Turns a JSON pointer into a path. The value shows whether a part of the pointer is an index or a name such as `1`. */
const fieldOf = (instancePath: string, value: unknown): string => {
  let field = ''
  let current = value
  for (const part of instancePath.split('/').slice(1)) {
    const key = part.replaceAll('~1', '/').replaceAll('~0', '~')
    field = Array.isArray(current) ? `${field}[${key}]` : within(field, key)
    current = (current as Readonly<Record<string, unknown>>)[key]
  }
  return field
}

const typeNames: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  integer: 'an integer',
  boolean: 'true or false',
  object: 'an object',
  array: 'an array',
  null: 'null',
}

const inWords = (types: unknown): string =>
  [types]
    .flat()
    .map((type) => typeNames[String(type)])
    .join(' or ')

const inJson = (values: readonly unknown[]): string => short(values.map((value) => JSON.stringify(value)).join(', '))

/** The demands of keywords with a limit, with `#` for the limit. */
const demands: Readonly<Record<string, string>> = {
  minimum: 'be at least #',
  maximum: 'be at most #',
  exclusiveMinimum: 'be more than #',
  exclusiveMaximum: 'be less than #',
  multipleOf: 'be a multiple of #',
  pattern: 'match the pattern #',
  minLength: 'have at least # characters',
  maxLength: 'have at most # characters',
  minItems: 'have at least # items',
  maxItems: 'have at most # items',
  minProperties: 'have at least # members',
  maxProperties: 'have at most # members',
  uniqueItems: 'not have the same item twice',
}

/** Returns what a keyword with a limit demands of a value: `be at least 3`; `undefined` for other keywords. */
export const demandOf = (keyword: string, limit: unknown): string | undefined =>
  demands[keyword]?.replace('#', () => short(String(limit)))

interface Params {
  readonly type: unknown
  readonly allowedValues: readonly unknown[]
  readonly allowedValue: unknown
  readonly limit: number | undefined
  readonly multipleOf: number | undefined
  readonly pattern: string | undefined
  readonly property: string
  readonly missingProperty: string | undefined
  readonly additionalProperty: string | undefined
  readonly propertyName: string | undefined
}

/** The messages of the keywords without such a limit, by keyword. */
const messages: Readonly<Record<string, (params: Params) => string>> = {
  type: ({ type }) => `must be ${inWords(type)}`,
  enum: ({ allowedValues }) => `must be one of ${inJson(allowedValues)}`,
  const: ({ allowedValue }) => `must be ${inJson([allowedValue])}`,
  additionalItems: ({ limit }) => `must have at most ${limit} items`,
  contains: () => 'must contain an item of the expected form',
  required: () => 'is required',
  dependencies: ({ property }) => `is required together with ${short(property)}`,
  additionalProperties: () => 'is not allowed',
  'false schema': () => 'is not allowed',
  propertyNames: () => 'has a name that is not allowed',
  anyOf: () => 'must have one of the allowed forms',
  oneOf: () => 'must have exactly one of the allowed forms',
  not: () => 'must not have a form that is excluded',
}

/** Returns the message for an error; `undefined` if other errors already say the same. */
const messageOf = (keyword: string, params: Params): string | undefined => {
  if (Object.hasOwn(messages, keyword)) return messages[keyword]?.(params)
  const demand = demandOf(keyword, params.limit ?? params.multipleOf ?? params.pattern)
  return demand && `must ${demand}`
}

/** Keywords that apply several schemas, and accept a value that some of the schemas refuse. */
const alternativeKeywords = new Set(['anyOf', 'oneOf', 'contains'])

const isWithin = (path: string, others: ReadonlySet<string>): boolean => {
  for (let end = path.lastIndexOf('/'); end > 0; end = path.lastIndexOf('/', end - 1)) {
    if (others.has(path.slice(0, end))) return true
  }
  return false
}

/** Turns the errors of Ajv into complaints, in the order of the schema. Returns at most twenty. */
export const toComplaints = (errors: readonly ErrorObject[], value: unknown): readonly Complaint[] => {
  const alternatives = new Set(
    errors.filter(({ keyword }) => alternativeKeywords.has(keyword)).map(({ schemaPath }) => schemaPath),
  )
  const complaints = new Map<string, Complaint>()
  for (const error of errors) {
    // Errors inside alternatives are left out, because the alternatives contradict each other.
    if (error.propertyName !== undefined || isWithin(error.schemaPath, alternatives)) continue
    const params = error.params as unknown as Params
    const message = messageOf(error.keyword, params)
    if (message === undefined) continue
    const holder = fieldOf(error.instancePath, value)
    // The path names the object around such a member.
    const member = params.missingProperty ?? params.additionalProperty ?? params.propertyName
    const field = short(member === undefined ? holder : within(holder, member))
    complaints.set(`${field}\0${message}`, { field, message })
    if (complaints.size === MOST_COMPLAINTS) break
  }
  return [...complaints.values()]
}
