/**
 * JSON that is text already and is sent as it stands. What was stored to the byte is answered to the byte: parsing it
 * would lose the order of members named by integers, and digits of long numbers.
 */
export class JsonText<T = unknown> {
  readonly text: string
  /** The value that the text was written from, where it was written here. */
  readonly value: WithJsonText<T> | undefined
  /** Says what the text holds, to the compiler only. */
  declare readonly holds: T

  /** @param text Must be valid JSON; it is not looked at again. */
  constructor(text: string, value?: WithJsonText<T>) {
    this.text = text
    this.value = value
  }
}

/** A value any part of which may be text already. */
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
 * Writes a value around the texts within it. No placeholder is searched for and replaced, so nothing that the value holds
 * can be mistaken for one.
 */
export const toJsonText = <T>(value: WithJsonText<T>): JsonText<T> => new JsonText<T>(write(value), value)
