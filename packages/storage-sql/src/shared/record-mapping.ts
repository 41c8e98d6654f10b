import { type Bound, boundText } from '@countersign/core/storage'
import type { Row, Tables } from '../tables/index.ts'
import type { Snake, Words } from '../tables/row-of.ts'

type NameIn<W extends string> = W extends `${infer N}:${string}` ? N : W
type Field<N extends string> = N extends `${infer F}=${string}` ? F : N
type Column<N extends string> = N extends `${string}=${infer C}` ? C : Snake<N>
type FieldOf<W extends string> = Field<NameIn<W>>
type ColumnOf<W extends string> = Column<NameIn<W>>

/** The values of fields that are stored in another form, by the kind that their words name. */
interface Kinds<Stored> {
  /** Stored as 1 or 0. */
  readonly flag: boolean | Extract<Stored, null>
  /** Stored as a JSON array. */
  readonly texts: readonly string[]
  /** Stored as a JSON array of tenants; `null` for no bound. */
  readonly bound: Bound
}

type ValueOf<W extends string, Stored> = W extends `${string}:${infer K}` ? Kinds<Stored>[K & keyof Kinds<Stored>] : Stored

/** The fields of a record and the columns of its table. `W` are their words, see `recordMapping`. */
export interface RecordMapping<T extends keyof Tables, W extends string> {
  readonly columns: readonly (ColumnOf<W> & keyof Tables[T])[]
  toRecord(row: Pick<Row<T>, ColumnOf<W> & keyof Row<T>>): MappedRecord<T, W>
  toRow(record: MappedRecord<T, W>): Pick<Row<T>, ColumnOf<W> & keyof Row<T>>
}

type MappedRecord<T extends keyof Tables, W extends string> = {
  readonly [X in W as FieldOf<X>]: ValueOf<X, Row<T>[ColumnOf<X> & keyof Row<T>]>
}

/** Reads a column with a JSON array of strings. The array is frozen, because many callers share a cached one. */
export const parseTexts = (json: string): readonly string[] => Object.freeze(JSON.parse(json) as string[])

/** Reads a column with the tenants to which something is bound. */
export const toBound = (text: string | null): Bound => (text === null ? null : parseTexts(text))

type Convert = (value: never) => unknown

const kinds: Readonly<Record<string, { readonly read: Convert; readonly write: Convert }>> = {
  flag: {
    read: (stored: 0 | 1 | null) => (stored === null ? null : stored === 1),
    write: (value: boolean | null) => (value === null ? null : Number(value)),
  },
  texts: { read: parseTexts, write: (texts: readonly string[]) => JSON.stringify(texts) },
  bound: { read: toBound, write: boundText },
} satisfies Record<keyof Kinds<unknown>, unknown>

interface Renamed {
  readonly from: string
  readonly to: string
  readonly convert: Convert | undefined
}

/** Returns a function that copies the members of an object under other names. */
const renaming = (members: readonly Renamed[]) => {
  // A copy of an object with all members takes half as long as adding the members one by one.
  const blank: Readonly<Record<string, unknown>> = Object.fromEntries(members.map(({ to }) => [to, null]))
  return (object: Readonly<Record<string, unknown>>) => {
    const renamed = { ...blank }
    for (const { from, to, convert } of members) {
      renamed[to] = convert === undefined ? object[from] : convert(object[from] as never)
    }
    return renamed
  }
}

const toSnake = (field: string): string => field.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

/**
 * Maps the fields of a record to the columns of a table. A caller that needs further values adds them to the result.
 *
 * @param words The names of the fields, with spaces between them, in one text or several. The column of `userId` is `user_id`;
 * the column of `deviceName=name` is `name`. A kind after a colon converts the value: `backedUp:flag`, see `Kinds`.
 */
export const recordMapping = <T extends keyof Tables, const S extends readonly string[]>(
  _table: T,
  ...words: S
): RecordMapping<T, Words<S[number]>> => {
  const members = words
    .join(' ')
    .split(' ')
    .map((word) => {
      const [name = '', kind = ''] = word.split(':')
      const [field = '', column = toSnake(field)] = name.split('=')
      return { field, column, kind: kinds[kind] }
    })
  const mapping = {
    columns: members.map(({ column }) => column),
    toRecord: renaming(members.map(({ field, column, kind }) => ({ from: column, to: field, convert: kind?.read }))),
    toRow: renaming(members.map(({ field, column, kind }) => ({ from: field, to: column, convert: kind?.write }))),
  }
  return mapping as unknown as RecordMapping<T, Words<S[number]>>
}
