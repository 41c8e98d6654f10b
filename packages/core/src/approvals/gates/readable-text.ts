/** Characters that change the direction of text. No payload can contain them (see `requireReadable`). */
const DIRECTIONS = /[\u202A-\u202E\u2066-\u2069]/gu

/** Returns the text with each character that changes the direction of text written as `\u{202e}`. */
export const readableText = (text: string): string =>
  text.replace(DIRECTIONS, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`)
