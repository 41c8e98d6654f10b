/**
 * Folds the case of a text: texts that differ only in case become equal, in every script.
 *
 * The text is normalised (NFC). Then each code point is converted to lower, upper and lower case by itself, so that a part of a
 * text folds like the whole text. Upper case joins letters with several forms: `ß` and `ẞ` become `ss`, `ς` becomes `σ`, and `ı`
 * becomes `i`. The result is normalised again. At last `İ`, which is an `i` with the mark U+0307 by then, becomes `i` too.
 */
export const fold = (text: string): string => {
  let folded = ''
  for (const character of text.normalize('NFC')) folded += character.toLowerCase().toUpperCase().toLowerCase()
  return folded.normalize('NFC').replaceAll(/i\u0307(?!\p{M})/gu, 'i')
}
