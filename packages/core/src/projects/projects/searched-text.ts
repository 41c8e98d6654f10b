/**
 * Text made equal where only its case differs, in any script: composed (NFC); each code point lowered, raised and lowered
 * by itself, so that what a part of a text becomes does not hang on what surrounds it; and composed again. Raising spells
 * out what has no capital of its own (`ß` and `ẞ` become `ss`) and joins letters of several forms (`ς` and `σ`).
 */
export const fold = (text: string): string => {
  let folded = ''
  for (const character of text.normalize('NFC')) folded += character.toLowerCase().toUpperCase().toLowerCase()
  return folded.normalize('NFC')
}

/** No text of a project contains it, so no needle matches across it. */
const SEPARATOR = '\u0001'

/** What a project is found by: a folded needle matches where it stands in this text, character by character. */
export const searchedText = ({ name, description }: { readonly name: string; readonly description: string }): string =>
  `${fold(name)}${SEPARATOR}${fold(description)}`
