import { changesDirection, withoutInvisible } from '../../shared/hidden-characters.ts'

export const APPROVED = 'approved'

/** The code points that look like a letter of `approved` (confusables.txt of Unicode 17, UTS 39), unless NFKC converts them. */
const lookalikes = {
  a: '0251 0391 03b1 0410 0430 13aa 15c5 237a a4ee 102a0 16f40 1ccd6',
  p: '00fe 01bf 03a1 03c1 03f8 0420 0440 13e2 146d 2374 2ca2 2ca3 2cce 2ccf a4d1 10295 1cce5',
  r: '01a6 0433 13a1 13d2 1587 1d26 2c85 a4e3 ab47 ab48 ab81 104b4 16f35 1cce7 1d216',
  o:
    '0030 039f 03bf 03c3 03ed 041e 043e 0555 0585 05e1 0647 0665 06be 06c1 06d5 06f5 07c0 0966 09e6 0a66 0ae6 0b20 ' +
    '0b66 0be6 0c02 0c66 0c82 0ce6 0d02 0d20 0d66 0d82 0e50 0ed0 101d 1040 10ff 12d0 17e0 1d0f 1d11 2c9e 2c9f 2d54 ' +
    '3007 a4f3 ab3d 10292 102ab 10404 1042c 104c2 104ea 10516 114d0 118b5 118c8 118d7 118e0 11de0 1cce4 1ccf0',
  v: '03bd 0474 0475 05d8 0667 06f7 13d9 142f 1d20 2228 22c1 2d38 a4e6 a6df aba9 1051d 11706 118a0 118c0 16f08 1cceb ' + '1d20d',
  e: '0395 0415 0435 04bd 13ac 212e 22ff 2d39 a4f0 ab32 10286 118a6 118ae 1ccda',
  d: '0501 13a0 13e7 146f 15de 15ea a4d2 a4d3 1ccd9',
}

const letters = new Map(
  Object.entries(lookalikes).flatMap(([letter, codes]) =>
    codes.split(' ').map((code) => [String.fromCodePoint(Number.parseInt(code, 16)), letter]),
  ),
)

/** Returns the letter that a character looks like, in lower case; an empty text for a mark, such as a dot above. */
const seenLetter = (character: string): string => {
  const lower = character.toLowerCase()
  return letters.get(character) ?? letters.get(lower) ?? (/\p{M}/u.test(lower) ? '' : lower)
}

const sorted = (characters: Iterable<string>): string => [...characters].sort().join('')

/** Returns whether people read a status as "approved", also in look-alike, invisible or reordered characters. */
export const readsAsApproved = (status: string): boolean => {
  const visible = withoutInvisible(status.normalize('NFKD')).replaceAll(/\s/gu, '')
  const seen = Array.from(visible, seenLetter)
  return changesDirection(status) ? sorted(seen) === sorted(APPROVED) : seen.join('') === APPROVED
}
