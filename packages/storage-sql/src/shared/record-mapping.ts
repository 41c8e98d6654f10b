/** The words of a text. */
export type Words<S extends string> = S extends `${infer W} ${infer Rest}` ? W | Words<Rest> : S

type Snake<S extends string> = S extends `${infer C}${infer Rest}`
  ? `${C extends Lowercase<C> ? C : `_${Lowercase<C>}`}${Snake<Rest>}`
  : S

type Stored<V> = V extends boolean ? 0 | 1 : V extends readonly unknown[] ? string : V

/** The row of a record: booleans are 1 or 0, and arrays are JSON. `Renamed` has the columns with other names. */
export type RowOf<R, Renamed extends { readonly [F in keyof R]?: string } = Record<never, never>> = {
  -readonly [F in keyof R & string as F extends keyof Renamed ? Renamed[F] & string : Snake<F>]: Stored<R[F]>
}

export type Nullable<R> = { [F in keyof R]: R[F] | null }

type FieldOf<W extends string> = W extends `${infer F}=${string}` ? F : W
type ColumnOf<W extends string> = W extends `${string}=${infer C}` ? C : Snake<W>

/** The fields of a record and the columns of its table. `W` are their words, see `recordMapping`. */
export interface RecordMapping<W extends string> {
  readonly columns: readonly ColumnOf<W>[]
  toRecord<R extends { readonly [X in W as ColumnOf<X>]: unknown }>(
    row: R,
  ): { readonly [X in W as FieldOf<X>]: R[ColumnOf<X> & keyof R] }
  toRow<R extends { readonly [X in W as FieldOf<X>]: unknown }>(
    record: R,
  ): { readonly [X in W as ColumnOf<X>]: R[FieldOf<X> & keyof R] }
}

/** Returns a function that copies the members of an object under other names. */
const renaming = (names: readonly (readonly [from: string, to: string])[]) => {
  // A copy of an object with all members takes half as long as adding the members one by one.
  const blank: Readonly<Record<string, unknown>> = Object.fromEntries(names.map(([, to]) => [to, null]))
  return (from: Readonly<Record<string, unknown>>) => {
    const renamed = { ...blank }
    for (const [name, other] of names) renamed[other] = from[name]
    return renamed
  }
}

const toSnake = (field: string): string => field.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

/**
 * Maps fields to columns, without changing their values. A caller that needs other values replaces them in the result.
 *
 * @param words The names of the fields, with spaces between them, in one text or several. The column of `userId` is `user_id`;
 * the column of `deviceName=name` is `name`.
 */
export const recordMapping = <const S extends readonly string[]>(...words: S): RecordMapping<Words<S[number]>> => {
  const pairs = words
    .join(' ')
    .split(' ')
    .map((word): readonly [field: string, column: string] => {
      const [field = '', column = toSnake(field)] = word.split('=')
      return [field, column]
    })
  const columns = pairs.map(([, column]) => column)
  const mapping = { columns, toRow: renaming(pairs), toRecord: renaming(pairs.map(([field, column]) => [column, field])) }
  return mapping as unknown as RecordMapping<Words<S[number]>>
}

/** Reads a column with a JSON array of strings. The array is frozen, because many callers share a cached one. */
export const parseTexts = (json: string): readonly string[] => Object.freeze(JSON.parse(json) as string[])
