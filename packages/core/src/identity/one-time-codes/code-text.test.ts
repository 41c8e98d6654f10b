import { describe, expect, it } from 'vitest'
import { systemRandom } from '../../shared/random.ts'
import { hashOfCode, newCodeText } from './code-text.ts'

describe('the text of a one-time code', () => {
  it('is 26 digits of Crockford base32', () => {
    for (let round = 0; round < 100; round += 1) {
      expect(newCodeText(systemRandom)).toMatch(/^[0-9A-HJKMNP-TV-Z]{26}$/)
    }
  })

  it('uses every digit equally often for evenly distributed bytes', () => {
    let next = 0
    const random = { bytes: (count: number) => Uint8Array.from({ length: count }, () => next++ % 256) }
    const digits = Array.from({ length: 128 }, () => newCodeText(random)).join('')
    const counts = new Map<string, number>()
    for (const digit of digits) counts.set(digit, (counts.get(digit) ?? 0) + 1)
    expect(new Set(counts.values())).toStrictEqual(new Set([(128 * 26) / 32]))
    expect(counts.size).toBe(32)
  })
})

describe('the hash of a one-time code', () => {
  const code = '01AB2CDEFGHJKMNPQRSTVWXYZ9'

  it('is the same however a person types the code', () => {
    const typed = [
      code.toLowerCase(),
      'O1ab-2cde-fghj kmnp-qrst-vwxyz9',
      `oIab2cdefghjkmnpqrstvwxyz9 `,
      `0LAB2CDEFGHJKMNPQRSTVWXYZ9`,
    ]
    expect(typed.map(hashOfCode)).toStrictEqual(typed.map(() => hashOfCode(code)))
  })

  it('differs for another code, and does not contain the code', () => {
    expect(hashOfCode('01AB2CDEFGHJKMNPQRSTVWXYZ8')).not.toBe(hashOfCode(code))
    expect(hashOfCode(code)).toMatch(/^[\w-]{43}$/)
  })
})
