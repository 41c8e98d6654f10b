/**
 * Folds the case of a text: texts that differ only in case become equal, in every script. Each code point is folded by itself, so
 * that a part of a text folds like the whole. Upper case joins the forms of a letter: `ß` and `ẞ`, `ς` and `σ`. At last `İ`, by
 * then an `i` with the mark U+0307, becomes `i`.
 */
export const fold = (text: string): string => {
  let folded = ''
  for (const character of text.normalize('NFC')) folded += character.toLowerCase().toUpperCase().toLowerCase()
  return folded.normalize('NFC').replaceAll(/i\u0307(?!\p{M})/gu, 'i')
}
