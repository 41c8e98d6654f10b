import { describe, expect, it } from 'vitest'
import type { PendingConfirmation } from '../index.ts'
import { displayOf } from './index.ts'

const english = { title: 'Wire transfer', lines: [{ label: 'Amount', value: '\u20681\u2069' }] }
const german = { title: 'Überweisung', lines: [{ label: 'Betrag', value: '\u20681\u2069' }] }
const wire = { display: { en: { direction: 'ltr', ...english }, de: { direction: 'ltr', ...german } } }

describe('the display of a confirmation', () => {
  it('has the signed words in the requested language, with the language and its direction', () => {
    expect(displayOf(wire)).toStrictEqual({ language: 'en', direction: 'ltr', ...english })
    expect(displayOf(wire, 'de-CH')).toStrictEqual({ language: 'de', direction: 'ltr', ...german })
    expect(displayOf(wire, 'fr')).toStrictEqual({ language: 'en', direction: 'ltr', ...english })
  })

  it('is refused if the words are missing or malformed, because nobody can decide on it', () => {
    for (const display of [null, undefined, {}, { en: null }]) {
      expect(() => displayOf({ display })).toThrow(TypeError)
    }
  })

  it('accepts the confirmations that the client lists', () => {
    const typed = (pending: PendingConfirmation) => displayOf(pending)
    expect(typed).toBeTypeOf('function')
  })
})
