import { Invalid } from '../errors.ts'

/** The path to a value inside JSON: names of members and indexes of items, outermost first. */
export type JsonPath = readonly (string | number)[]

/** Returns the name of the field at a path, such as `lines[0].amount`; empty for the input itself. */
export const fieldAt = (path: readonly PropertyKey[]): string =>
  path.reduce<string>(
    (name, part) => (typeof part === 'number' ? `${name}[${part}]` : name === '' ? String(part) : `${name}.${String(part)}`),
    '',
  )

const SHOWN_CHARACTERS = 64

const shortened = (part: string | number) => (typeof part === 'number' ? part : part.slice(0, SHOWN_CHARACTERS))

/** JSON text with content that `JSON.parse` hides or that no database can store. */
export class JsonRefused extends Invalid {
  readonly path: JsonPath
  /** The message: what must be at the path. */
  readonly takes: string

  constructor(path: JsonPath, takes: string) {
    super({ [fieldAt(path.map(shortened)) || 'body']: takes })
    this.path = path
    this.takes = takes
  }
}
