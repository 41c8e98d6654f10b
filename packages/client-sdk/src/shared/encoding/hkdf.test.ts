import { hkdfSync, randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import type { Bytes } from './bytes.ts'
import { hkdfSha256 } from './hkdf.ts'

const bytes = (hex: string): Bytes => Uint8Array.from(Buffer.from(hex, 'hex'))
const range = (from: number, to: number): string =>
  Buffer.from(Array.from({ length: to - from }, (_, at) => from + at)).toString('hex')

describe('HKDF-SHA256', () => {
  // RFC 5869, appendix A.
  it.each([
    [
      'A.1',
      '0b'.repeat(22),
      range(0x00, 0x0d),
      range(0xf0, 0xfa),
      '3cb25f25faacd57a90434f64d0362f2a2d2d0a90cf1a5a4c5db02d56ecc4c5bf34007208d5b887185865',
    ],
    [
      'A.2',
      range(0x00, 0x50),
      range(0x60, 0xb0),
      range(0xb0, 0x100),
      'b11e398dc80327a1c8e7f78c596a49344f012eda2d4efad8a050cc4c19afa97c59045a99cac7827271cb41c65e590e09da3275600c2f09b8367793a9aca3db71cc30c58179ec3e87c14c01d5c1f3434f1d87',
    ],
    ['A.3', '0b'.repeat(22), '', '', '8da4e775a563c18f715f802a063c5a31b8a11f5c5ee1879ec3454e5f3c738d2d9d201395faa4b61a96c8'],
  ])('gives the output of test case %s', async (_, key, salt, info, output) => {
    const derived = await hkdfSha256(bytes(key), bytes(salt), bytes(info), output.length / 2)
    expect(Buffer.from(derived).toString('hex')).toBe(output)
  })

  it('agrees with Node for keys, salts and information of any length', async () => {
    for (const length of [1, 16, 32, 64, 65, 500, 8192]) {
      const [key, salt] = [randomBytes(length), randomBytes(length)]
      const info = randomBytes(27)
      const derived = await hkdfSha256(Uint8Array.from(key), Uint8Array.from(salt), Uint8Array.from(info), 32)
      expect(Buffer.from(derived)).toEqual(Buffer.from(hkdfSync('sha256', key, salt, info, 32)))
    }
  })
})
