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

const short = (text: string): string => (text.length <= MOST_CHARACTERS ? text : `${text.slice(0, MOST_CHARACTERS)}…`)

/** Returns the path to a member or item of the value at `field`. */
const within = (field: string, key: string, isItem: boolean): string => {
  if (isItem) return `${field}[${key}]`
  return field === '' ? key : `${field}.${key}`
}

/** Turns a JSON pointer into a path. The value shows whether a part of the pointer is an index or a name such as `1`. */
const fieldOf = (instancePath: string, value: unknown): string => {
  let field = ''
  let current = value
  for (const part of instancePath.split('/').slice(1)) {
    const key = part.replaceAll('~1', '/').replaceAll('~0', '~')
    field = within(field, key, Array.isArray(current))
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

const comparisons: Readonly<Record<string, string>> = { '>=': 'at least', '<=': 'at most', '>': 'more than', '<': 'less than' }

/** The parameters of an Ajv error, by keyword. */
interface Params {
  readonly type: unknown
  readonly allowedValues: readonly unknown[]
  readonly allowedValue: unknown
  readonly comparison: string
  readonly limit: number
  readonly multipleOf: number
  readonly pattern: string
  readonly property: string
  readonly missingProperty: string
  readonly additionalProperty: string
  readonly propertyName: string
}

/** Returns the message for an error; `undefined` if other errors already say the same. */
const messageOf = (error: ErrorObject): string | undefined => {
  const { keyword } = error
  const params = error.params as unknown as Params
  switch (keyword) {
    case 'type':
      return `must be ${inWords(params.type)}`
    case 'enum':
      return `must be one of ${inJson(params.allowedValues)}`
    case 'const':
      return `must be ${inJson([params.allowedValue])}`
    case 'minimum':
    case 'maximum':
    case 'exclusiveMinimum':
    case 'exclusiveMaximum':
      return `must be ${comparisons[params.comparison]} ${params.limit}`
    case 'multipleOf':
      return `must be a multiple of ${params.multipleOf}`
    case 'minLength':
      return `must have at least ${params.limit} characters`
    case 'maxLength':
      return `must have at most ${params.limit} characters`
    case 'pattern':
      return `must match the pattern ${short(params.pattern)}`
    case 'minItems':
      return `must have at least ${params.limit} items`
    case 'maxItems':
    case 'additionalItems':
      return `must have at most ${params.limit} items`
    case 'uniqueItems':
      return 'must not have the same item twice'
    case 'contains':
      return 'must contain an item of the expected form'
    case 'minProperties':
      return `must have at least ${params.limit} members`
    case 'maxProperties':
      return `must have at most ${params.limit} members`
    case 'required':
      return 'is required'
    case 'dependencies':
      return `is required together with ${short(params.property)}`
    case 'additionalProperties':
    case 'false schema':
      return 'is not allowed'
    case 'propertyNames':
      return 'has a name that is not allowed'
    case 'anyOf':
      return 'must have one of the allowed forms'
    case 'oneOf':
      return 'must have exactly one of the allowed forms'
    case 'not':
      return 'must not have a form that is excluded'
    default:
      return undefined
  }
}

/** Returns the name of the member that the error is about, if the path of the error names the object around it. */
const memberOf = (error: ErrorObject): string | undefined => {
  const { keyword } = error
  const params = error.params as unknown as Params
  switch (keyword) {
    case 'required':
    case 'dependencies':
      return params.missingProperty
    case 'additionalProperties':
      return params.additionalProperty
    case 'propertyNames':
      return params.propertyName
    default:
      return undefined
  }
}

/** Keywords that apply several schemas, of which not all must accept the value. */
const alternativeKeywords = new Set(['anyOf', 'oneOf', 'contains'])

const hasAlternatives = ({ keyword }: ErrorObject): boolean => alternativeKeywords.has(keyword)

/** Returns whether a path is inside one of the other paths. */
const isWithin = (path: string, others: ReadonlySet<string>): boolean => {
  for (let end = path.lastIndexOf('/'); end > 0; end = path.lastIndexOf('/', end - 1)) {
    if (others.has(path.slice(0, end))) return true
  }
  return false
}

/** Turns the errors of Ajv into complaints, in the order of the schema. Returns at most twenty. */
export const toComplaints = (errors: readonly ErrorObject[], value: unknown): readonly Complaint[] => {
  const alternatives = new Set(errors.filter(hasAlternatives).map(({ schemaPath }) => schemaPath))
  const complaints = new Map<string, Complaint>()
  for (const error of errors) {
    // Errors inside alternatives are left out, because the alternatives contradict each other.
    if (error.propertyName !== undefined || isWithin(error.schemaPath, alternatives)) continue
    const message = messageOf(error)
    if (message === undefined) continue
    const holder = fieldOf(error.instancePath, value)
    const member = memberOf(error)
    const field = short(member === undefined ? holder : within(holder, member, false))
    complaints.set(`${field}\0${message}`, { field, message })
    if (complaints.size === MOST_COMPLAINTS) break
  }
  return [...complaints.values()]
}
