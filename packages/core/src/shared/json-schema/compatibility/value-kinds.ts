/**
 * The kinds of JSON values. Every value is of exactly one kind. An integer is a number without fraction, also when it is written
 * `1.0`.
 */
export const kinds = ['null', 'boolean', 'integer', 'fraction', 'string', 'array', 'object'] as const
export type Kind = (typeof kinds)[number]

const kindsOfType: Readonly<Record<string, readonly Kind[]>> = {
  null: ['null'],
  boolean: ['boolean'],
  integer: ['integer'],
  number: ['integer', 'fraction'],
  string: ['string'],
  array: ['array'],
  object: ['object'],
}

/** Returns the kinds that a `type` keyword allows. A missing keyword allows all of them. */
export const kindsOf = (type: unknown): ReadonlySet<Kind> =>
  type === undefined ? new Set(kinds) : new Set([type].flat().flatMap((name) => kindsOfType[String(name)] ?? []))
