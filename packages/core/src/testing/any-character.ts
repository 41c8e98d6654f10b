import * as fc from 'fast-check'

const SURROGATES = { first: 0xd800, count: 0x800 } as const

/** Returns a character by its index. Surrogates are no characters, and are not counted. */
const characterAt = (index: number): string => String.fromCodePoint(index < SURROGATES.first ? index : index + SURROGATES.count)

/** fast-check expects an error for any value that is not one character. */
const indexOf = (value: unknown): number => {
  const code = typeof value === 'string' ? (value.codePointAt(0) ?? Number.NaN) : Number.NaN
  const index = code < SURROGATES.first ? code : code - SURROGATES.count
  if (characterAt(index) !== value) throw new Error('the value is not one character')
  return index
}

/**
 * Any character of Unicode. Texts of the unit `binary` of fast-check have the same characters, but each process first builds a
 * table of all of them, which takes a second.
 */
export const anyCharacter: fc.Arbitrary<string> = fc.nat(0x10ffff - SURROGATES.count).map(characterAt, indexOf)
