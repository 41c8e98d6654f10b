import { JsonText } from '@countersign/contract'

/** A value as a handler returns it: instants may be numbers, and JSON text may be at any place. */
export type Given<T> =
  | JsonText<T>
  | (T extends string
      ? string extends T
        ? string | number
        : T
      : T extends readonly (infer E)[]
        ? readonly Given<E>[]
        : T extends object
          ? { readonly [K in keyof T]: Given<T[K]> }
          : T)

/** An output that contains JSON text. Every other output is written by `JSON.stringify`, which is faster. */
export class WithJsonText<T> {
  readonly output: Given<T>

  constructor(output: Given<T>) {
    this.output = output
  }
}

/** Writes a value, with the JSON texts in it unchanged. It uses no placeholders, so no content can be mistaken for one. */
export const writeJson = (value: unknown): string => {
  if (value instanceof JsonText) return value.text
  if (Array.isArray(value)) return `[${value.map(writeJson).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const members = Object.entries(value).filter(([, member]) => member !== undefined)
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${writeJson(member)}`).join(',')}}`
}
