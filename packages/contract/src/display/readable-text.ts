/** Everything that a screen does not show, or shows as a line break: controls, format characters and separators. */
const hidden = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu

/** The zero-width joiners, which several scripts need to be readable. */
const joiners = '\u200c\u200d'

/** Returns the text with every hidden character as `\u{…}`. */
export const readableText = (text: string): string =>
  text.replace(hidden, (character) =>
    joiners.includes(character) ? character : `\\u{${character.codePointAt(0)?.toString(16)}}`,
  )

/**
 * Returns the readable text between U+2068 and U+2069 (Unicode Standard Annex #9, first strong isolate). The direction of the text
 * then cannot change the order of the text around it.
 */
export const isolated = (text: string): string => `\u2068${readableText(text)}\u2069`
