/** Letters and symbols that are blank, in addition to the default-ignorable characters. */
const BLANK = String.raw`\u2800\u{13441}\u{13442}\u{16fe4}\u{1d159}`

/** Everything that a screen does not show, or shows as a line break: controls, format characters, separators and blank letters. */
const HIDDEN = new RegExp(String.raw`[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}${BLANK}]`, 'u')

/** A text of printable ASCII, of which nothing is hidden. */
const PLAIN = /^[ -~]*$/

/** A character that a person sees by itself. */
const VISIBLE = new RegExp(String.raw`(?![\p{Default_Ignorable_Code_Point}${BLANK}])[\p{L}\p{N}\p{P}\p{S}]`, 'u')

const MARK = /\p{M}/u

/** The most marks on one letter. More of them paint over the lines above and below. */
const MOST_MARKS = 4

/** A zero-width joiner or non-joiner, which several scripts need to be readable. */
const JOINER = /[\u200c\u200d]/

/** A character next to which a joiner changes what a person sees: an emoji, or a letter or mark of a script that joins letters. */
const JOINED =
  /\p{Extended_Pictographic}|\p{Emoji_Modifier}|(?![\p{sc=Latin}\p{sc=Greek}\p{sc=Cyrillic}\p{sc=Common}\p{sc=Inherited}])[\p{L}\p{M}]/u

const escaped = (character: string): string => `\\u{${character.codePointAt(0)?.toString(16)}}`

/** Returns whether a text has at least one character that a person sees. White space, joiners and marks alone show nothing. */
export const isVisible = (text: string): boolean => VISIBLE.test(text)

/** The sign for a line break, after which a screen may begin a new line. */
const LINE_BREAK = '\u21b5'

export const withLineBreaks = (text: string): string => text.replaceAll(/\r?\n/g, LINE_BREAK)

/** Returns the text with a sign for each line break, and other hidden characters, and a letter's fifth mark, as `\u{…}`. */
export const readableText = (text: string): string => {
  if (PLAIN.test(text)) return text
  const characters = Array.from(withLineBreaks(text))
  const isJoined = (at: number): boolean => JOINED.test(characters[at] ?? '')
  let marks = 0
  return characters
    .map((character, at) => {
      if (JOINER.test(character)) return isJoined(at - 1) && isJoined(at + 1) ? character : escaped(character)
      marks = MARK.test(character) ? marks + 1 : 0
      return HIDDEN.test(character) || marks > MOST_MARKS ? escaped(character) : character
    })
    .join('')
}

/** Returns the readable text between U+2068 and U+2069 (UAX #9), so that it cannot change the order of the text around it. */
export const isolated = (text: string): string => `\u2068${readableText(text)}\u2069`
