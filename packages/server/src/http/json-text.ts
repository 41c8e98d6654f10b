/**
 * JSON text that is sent unchanged. Parsing it first would lose the order of members with integer names, and digits of long
 * numbers.
 */
export class JsonText<T = unknown> {
  readonly text: string
  /** The value that the text was made from, if this program made it. */
  readonly value: WithJsonText<T> | undefined
  /** Records the type of the value for the compiler only. */
  declare readonly holds: T

  /** @param text Must be valid JSON; it is not checked again. */
  constructor(text: string, value?: WithJsonText<T>) {
    this.text = text
    this.value = value
  }
}

/** A value that may contain JSON text at any place. */
export type WithJsonText<T> =
  | JsonText<T>
  | (T extends readonly (infer E)[]
      ? readonly WithJsonText<E>[]
      : T extends object
        ? { readonly [K in keyof T]: WithJsonText<T[K]> }
        : T)

const write = (value: unknown): string => {
  if (value instanceof JsonText) return value.text
  if (Array.isArray(value)) return `[${value.map(write).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const members = Object.entries(value).filter(([, member]) => member !== undefined)
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${write(member)}`).join(',')}}`
}

/**
 * Serializes a value and inserts the embedded JSON texts unchanged. It uses no placeholders, so no content can be mistaken for one.
 */
export const toJsonText = <T>(value: WithJsonText<T>): JsonText<T> => new JsonText<T>(write(value), value)
