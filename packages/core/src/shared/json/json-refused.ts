import { Invalid } from '../errors.ts'

/** A place within a JSON value: names of members and indexes of items, from the outside in. */
export type JsonPath = readonly (string | number)[]

const SHOWN_CHARACTERS = 64

const fieldOf = (path: JsonPath): string =>
  path.reduce<string>(
    (field, part) =>
      typeof part === 'number' ? `${field}[${part}]` : `${field}${field === '' ? '' : '.'}${part.slice(0, SHOWN_CHARACTERS)}`,
    '',
  )

/** JSON text that says something which parsing would hide or which cannot be kept. */
export class JsonRefused extends Invalid {
  readonly path: JsonPath
  /** What the text takes at the path. */
  readonly takes: string

  constructor(path: JsonPath, takes: string) {
    super({ [fieldOf(path) || 'body']: takes })
    this.path = path
    this.takes = takes
  }
}
