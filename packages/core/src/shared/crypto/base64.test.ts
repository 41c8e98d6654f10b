import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fromAnyBase64, fromBase64Url, toBase64, toBase64Url } from './base64.ts'

const bytesOf = (...values: number[]) => Uint8Array.from(values)
const anyBytes = fc.uint8Array({ maxLength: 100 })

/** Returns the four texts of a value (RFC 4648 §4, §5): with and without padding, in each alphabet. */
const textsOf = (bytes: Uint8Array): string[] => {
  const padded = Buffer.from(bytes).toString('base64')
  const paddedUrl = padded.replaceAll('+', '-').replaceAll('/', '_')
  return [padded, paddedUrl, padded.replaceAll('=', ''), paddedUrl.replaceAll('=', '')]
}

describe('encoding base64', () => {
  it('gives the texts of RFC 4648 §10', () => {
    expect(['', 'f', 'fo', 'foo', 'foob', 'fooba', 'foobar'].map((text) => toBase64(Buffer.from(text)))).toStrictEqual([
      '',
      'Zg==',
      'Zm8=',
      'Zm9v',
      'Zm9vYg==',
      'Zm9vYmE=',
      'Zm9vYmFy',
    ])
  })

  it('uses + and / in one alphabet, - and _ without padding in the other', () => {
    expect(toBase64(bytesOf(0xfb, 0xff))).toBe('+/8=')
    expect(toBase64Url(bytesOf(0xfb, 0xff))).toBe('-_8')
  })

  it('encodes only the given part of a larger buffer', () => {
    const part = bytesOf(1, 2, 3, 4, 5).subarray(1, 4)
    expect(toBase64(part)).toBe('AgME')
    expect(toBase64Url(part)).toBe('AgME')
  })
})

describe('decoding base64 of either alphabet', () => {
  it('decodes each of the four texts of a value', () => {
    fc.assert(
      fc.property(anyBytes, (bytes) => {
        for (const text of textsOf(bytes)) expect([...(fromAnyBase64(text) ?? [])]).toStrictEqual([...bytes])
      }),
    )
  })

  it('refuses all other texts', () => {
    const alphabet = fc.constantFrom(...'AQgw19azZ+/-_= \n.é')
    fc.assert(
      fc.property(fc.string({ unit: alphabet, maxLength: 12 }), (text) => {
        const bytes = fromAnyBase64(text)
        if (bytes !== undefined) expect(textsOf(bytes)).toContain(text)
      }),
      { numRuns: 20_000 },
    )
  })

  it.each([
    ['non-zero tail bits', 'Zh=='],
    ['non-zero tail bits without padding', 'Zm9'],
    ['non-zero tail bits in base64url', '-_9'],
    ['mixed alphabets', '+_8='],
    ['mixed alphabets without padding', 'ab+d-a'],
    ['a space', 'Zm 9v'],
    ['a space at the end', 'Zm9v '],
    ['a line break', 'Zm9v\n'],
    ['half a padding', 'Zg='],
    ['too much padding', 'Zm8=='],
    ['padding that is not needed', 'Zm9v=='],
    ['four characters of padding', '===='],
    ['padding alone', '='],
    ['padding within', 'Zg==Zg=='],
    ['a single character', 'A'],
    ['five characters', 'Zm9vA'],
    ['a character of no alphabet', 'Zm9v!A'],
    ['a full stop', 'Zm9v.Zm9v'],
    ['a letter beyond ASCII', 'Zm9é'],
    ['NUL', 'Zm9v\0'],
  ])('refuses %s', (_, text) => {
    expect(fromAnyBase64(text)).toBeUndefined()
  })
})

describe('decoding base64url', () => {
  it('decodes the one text of a value', () => {
    fc.assert(
      fc.property(anyBytes, (bytes) => {
        expect([...(fromBase64Url(toBase64Url(bytes)) ?? [])]).toStrictEqual([...bytes])
      }),
    )
  })

  it.each(['Zg==', '+/8', 'Zm9', 'Zm9v ', 'A', 'Zm9v='])('refuses %j', (text) => {
    expect(fromBase64Url(text)).toBeUndefined()
  })
})
