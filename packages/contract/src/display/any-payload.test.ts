import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { actionTypes } from '../vocabulary.ts'
import { builtInWords, renderDisplay, shippedLanguages, signedDisplay } from './index.ts'
import { readableText } from './readable.ts'

type Payload = Readonly<Record<string, unknown>>

const asked = { requester: 'Ada', onBehalfOf: null, tenant: null, context: null }
const uuid = '550e8400-e29b-41d4-a716-446655440000'
const withoutIsolates = (text: string): string => text.replaceAll(/[\u2068\u2069]/g, '')

describe('the words of any payload', () => {
  const name = fc.oneof(
    fc.constantFrom('amount', 'currency', 'recipient', 'items', 'oldValue', 'newValue', 'name', 'quantity', 'price', '__proto__'),
    fc.string({ unit: 'grapheme', maxLength: 4 }),
  )
  const leaf = fc.oneof(
    fc.string({ unit: 'grapheme', maxLength: 8 }),
    fc.constantFrom('EUR', uuid, 'a\nb', '\u2068x\u2069', '\u202e', ' · ', '"', '\u200d', '\u0301'.repeat(6)),
    fc.integer(),
    fc.boolean(),
    fc.constant(null),
  )
  const { payload } = fc.letrec<{ value: unknown; payload: Payload }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 4, withCrossShrink: true },
      leaf,
      fc.array(tie('value'), { maxLength: 3 }),
      fc.dictionary(name, tie('value'), { maxKeys: 3, noNullPrototype: true }),
    ),
    payload: fc.dictionary(name, tie('value'), { maxKeys: 5, noNullPrototype: true }) as fc.Arbitrary<Payload>,
  }))
  const leavesOf = (value: unknown): readonly unknown[] =>
    typeof value === 'object' && value !== null ? Object.entries(value).flatMap(([, one]) => leavesOf(one)) : [value]

  const lettersOf = (text: string): string => text.replaceAll(/[^\p{L}\p{N}]/gu, '')

  it.each(actionTypes)('of %s hide nothing, and reach the person unchanged in both forms', (actionType) => {
    fc.assert(
      fc.property(payload, fc.constantFrom('full', 'short'), (given, form) => {
        const displays = renderDisplay(builtInWords[actionType], given, asked, form)
        for (const language of shippedLanguages) {
          const shown = signedDisplay(displays, language)
          expect(shown).toStrictEqual({ language, ...displays[language] })
          const text = shown?.lines.flatMap(({ label, value }) => [label, value]).join(' | ') ?? ''
          expect(withoutIsolates(text)).not.toMatch(/[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/u)
          for (const one of leavesOf(given)) {
            const forms = [String(one), JSON.stringify(one)].map((written) => lettersOf(readableText(written)))
            const isShown = forms.some((written) => lettersOf(text).includes(written))
            expect(typeof one === 'boolean' || one === null || isShown).toBe(true)
          }
        }
      }),
    )
  })
})
