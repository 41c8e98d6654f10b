import { assert, property, string } from 'fast-check'
import { describe, expect, it } from 'vitest'
import { normaliseEmail } from './email.ts'

describe('normalising an email', () => {
  it.each([
    ['Ada@Example.TEST', 'ada@example.test'],
    ['ａｄａ＠example.test', 'ada@example.test'],
    ['cafe\u0301@example.test', 'caf\u00E9@example.test'],
    ['ﬁona@example.test', 'fiona@example.test'],
    ['\u212Aim@example.test', 'kim@example.test'],
    [' ada@example.test', ' ada@example.test'],
  ])('turns %j into %j', (text, normalised) => {
    expect(normaliseEmail(text)).toBe(normalised)
  })

  it('is idempotent for any text', () => {
    assert(
      property(string({ unit: 'binary', maxLength: 40 }), (text) => {
        const once = normaliseEmail(text)
        expect(normaliseEmail(once)).toBe(once)
      }),
      { numRuns: 2000 },
    )
  })
})
