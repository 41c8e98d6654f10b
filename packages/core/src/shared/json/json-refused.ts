import { Invalid } from '../errors.ts'

/** The path to a value inside JSON: names of members and indexes of items, outermost first. */
export type JsonPath = readonly (string | number)[]

const SHOWN_CHARACTERS = 64

const fieldOf = (path: JsonPath): string =>
  path.reduce<string>(
    (field, part) =>
      typeof part === 'number' ? `${field}[${part}]` : `${field}${field === '' ? '' : '.'}${part.slice(0, SHOWN_CHARACTERS)}`,
    '',
  )

/** JSON text with content that `JSON.parse` hides or that no database can store. */
export class JsonRefused extends Invalid {
  readonly path: JsonPath
  /** The message: what must be at the path. */
  readonly takes: string

  constructor(path: JsonPath, takes: string) {
    super({ [fieldOf(path) || 'body']: takes })
    this.path = path
    this.takes = takes
  }
}
