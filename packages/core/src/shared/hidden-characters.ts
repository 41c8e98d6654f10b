/** Embeddings, overrides and isolates of direction (UAX #9 §2). With them, a text looks different from what it says. */
const DIRECTIONS = /[\u202A-\u202E\u2066-\u2069]/gu

/** The characters that `changesDirection` finds, for messages. */
export const directions = 'U+202A to U+202E or U+2066 to U+2069, which change the direction of text'

/** Returns whether a text has a character that changes the direction of reading. */
export const changesDirection = (text: string): boolean => text.search(DIRECTIONS) !== -1

/** Returns the text with each character that changes the direction of reading written as `\u{202e}`. */
export const escapeDirections = (text: string): string =>
  text.replace(DIRECTIONS, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`)

/** Characters in which texts can differ and look the same: the default-ignorable ones of Unicode, and blank symbols. */
const INVISIBLE = /[\p{Default_Ignorable_Code_Point}\u2800\u{13441}\u{13442}\u{16FE4}\u{1D159}]/gu

export const hasInvisible = (text: string): boolean => text.search(INVISIBLE) !== -1

export const withoutInvisible = (text: string): string => text.replace(INVISIBLE, '')
