/** The words of a text. */
type Words<S extends string> = S extends `${infer W} ${infer Rest}` ? W | Words<Rest> : S

/** The members of an object that texts name. */
export type Picked<T, S extends readonly string[]> = { readonly [N in keyof T & Words<S[number]>]: T[N] }

/** Returns a copy with the members that texts name, with spaces between their names, and no others. */
export const pick = <T extends object, const S extends readonly string[]>(from: T, ...names: S): Picked<T, S> =>
  Object.fromEntries(names.flatMap((text) => text.split(' ')).map((name) => [name, from[name as keyof T]])) as Picked<T, S>
