/** The words of a text. */
export type Words<S extends string> = S extends `${infer W} ${infer Rest}` ? W | Words<Rest> : S

/** The name of a column for the name of a field: `user_id` for `userId`. */
export type Snake<S extends string> = S extends `${infer C}${infer Rest}`
  ? `${C extends Lowercase<C> ? C : `_${Lowercase<C>}`}${Snake<Rest>}`
  : S

type Stored<V> = V extends boolean ? 0 | 1 : V extends readonly unknown[] ? string : V

/** The row of a record: booleans are 1 or 0, and arrays are JSON. `Renamed` has the columns with other names. */
export type RowOf<R, Renamed extends { readonly [F in keyof R]?: string } = Record<never, never>> = {
  -readonly [F in keyof R & string as F extends keyof Renamed ? Renamed[F] & string : Snake<F>]: Stored<R[F]>
}

export type Nullable<R> = { [F in keyof R]: R[F] | null }
