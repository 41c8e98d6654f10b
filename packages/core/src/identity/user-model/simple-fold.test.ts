import { expect, it } from 'vitest'
import { simpleFold } from './email.ts'

const everyCharacter = Array.from({ length: 0x110000 }, (_, code) => String.fromCodePoint(code))

// Lines of CaseFolding.txt of Unicode.
it.each([
  ['K', 'k'],
  ['µ', 'μ'],
  ['ẞ', 'ß'],
  ['ß', 'ß'],
  ['ς', 'σ'],
  ['ſ', 's'],
  ['ϴ', 'θ'],
  ['\u0345', 'ι'],
  ['ǅ', 'ǆ'],
  ['ᾈ', 'ᾀ'],
  ['Ა', 'ა'],
  ['ꭰ', 'Ꭰ'],
  ['ᏸ', 'Ᏸ'],
  ['Ᏸ', 'Ᏸ'],
  ['𐐀', '𐐨'],
  ['İ', 'İ'],
  ['ı', 'ı'],
  ['ŉ', 'ŉ'],
  ['ﬁ', 'ﬁ'],
  ['ა', 'ა'],
  ['7', '7'],
])('the simple folding of %s is %s', (character, folded) => {
  expect(simpleFold(character)).toBe(folded)
})

it('two characters fold to the same one only if they differ only in case', () => {
  const cased = everyCharacter.filter((character) => /\p{Cased}/u.test(character))
  for (const character of cased) {
    const folded = simpleFold(character)
    expect(folded === character || /^(.)\1$/iu.test(character + folded)).toBe(true)
    expect(simpleFold(folded)).toBe(folded)
  }
})
