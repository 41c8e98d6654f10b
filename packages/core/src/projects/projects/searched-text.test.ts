import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fold } from '../../shared/fold.ts'
import { anyCharacter } from '../../testing/any-character.ts'
import { searchedText } from './searched-text.ts'

/** No letter after this code point has a case. */
const LAST_CASED = 0x1ffff

describe('folding case', () => {
  it.each([
    ['STRASSE', 'straße', 'STRAẞE', 'Straße'],
    ['ΟΔΥΣΣΕΥΣ', 'οδυσσευς', 'οδυσσευσ'],
    ['ПРИВЕТ', 'привет'],
    ['ﬁnal', 'FINAL', 'final'],
    ['\u212Aelvin', 'KELVIN', 'kelvin'],
    ['caf\u00E9', 'CAFE\u0301', 'cafe\u0301'],
    ['ǅ', 'ǆ', 'Ǆ'],
    ['ſ', 's', 'S'],
    ['ᲀ', 'в', 'В'],
    ['𐐀', '𐐨'],
    ['Ⓐ', 'ⓐ'],
    ['İstanbul', 'istanbul', 'ISTANBUL', 'I\u0307STANBUL', 'ıstanbul'],
    ['Dİ', 'di'],
    ['\u0390', '\u0399\u0308\u0301', '\u03B9\u0308\u0301', '\u03AA\u0301'],
  ])('makes these equal: %s', (...texts) => {
    expect(new Set(texts.map(fold)).size).toBe(1)
  })

  it.each([
    ['a', 'b'],
    ['e', 'é'],
    ['%', '_'],
    ['漢', '字'],
  ])('keeps these apart: %s and %s', (one, other) => {
    expect(fold(one)).not.toBe(fold(other))
  })

  it('makes every character equal to its upper case and its lower case', () => {
    const different: string[] = []
    for (let code = 0; code <= LAST_CASED; code += 1) {
      if (code >= 0xd800 && code <= 0xdfff) continue
      const character = String.fromCodePoint(code)
      const folded = fold(character)
      if (fold(character.toUpperCase()) !== folded || fold(character.toLowerCase()) !== folded) different.push(character)
    }
    expect(different).toStrictEqual([])
  })

  it('does not change folded text', () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter }), (text) => {
        expect(fold(fold(text))).toBe(fold(text))
      }),
    )
  })

  it('finds a part of a text in the text, in any case of both', () => {
    const graphemes = new Intl.Segmenter('und', { granularity: 'grapheme' })
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme', minLength: 1 }),
        fc.nat(20),
        fc.integer({ min: 1, max: 20 }),
        (text, start, length) => {
          const parts = [...graphemes.segment(text)].map(({ segment }) => segment)
          const from = start % parts.length
          const part = parts.slice(from, from + length).join('')
          for (const given of [part, part.toUpperCase(), part.toLowerCase()]) expect(fold(text)).toContain(fold(given))
        },
      ),
    )
  })
})

it('no search term matches across name and description', () => {
  expect(searchedText({ name: 'A Mill', description: 'Of BRASS' })).toBe('a mill\u0001of brass')
})
