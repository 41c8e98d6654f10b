import { generateKeyPairSync, sign, verify } from 'node:crypto'
import { expect, it } from 'vitest'
import { receiptSignature } from './p1363.ts'

const bytesOf = (signature: Uint8Array): Buffer => {
  const text = Buffer.from(signature).toString('base64url')
  return Buffer.from(receiptSignature({ signature: text, algorithm: 'ES256' }), 'base64url')
}

it('a signature in DER becomes r‖s of 64 bytes, which Node verifies', () => {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' })
  const key = { key: publicKey, dsaEncoding: 'ieee-p1363' } as const
  // About half of the integers have a leading zero, and one of 256 is shorter than 32 bytes.
  for (let time = 0; time < 300; time += 1) {
    const data = Buffer.from(`payment ${time}`)
    const bytes = bytesOf(sign('sha256', data, privateKey))
    expect([bytes.length, verify('sha256', data, key, bytes)]).toStrictEqual([64, true])
  }
})

it('short integers are filled with zeros from the left', () => {
  const [r, s] = [
    [1, 2],
    [3, 4, 5],
  ] as const
  const der = Uint8Array.of(0x30, 9, 2, r.length, ...r, 2, s.length, ...s)
  const zeros = (count: number) => new Array<number>(count).fill(0)
  expect([...bytesOf(der)]).toStrictEqual([...zeros(30), ...r, ...zeros(29), ...s])
})

it('r‖s and other algorithms stay as they are', () => {
  const both = Buffer.alloc(64, 7)
  expect(bytesOf(both)).toStrictEqual(both)
  expect(receiptSignature({ signature: 'AQID', algorithm: 'RS256' })).toBe('AQID')
})

it('anything else under the name of ES256 is an error', () => {
  expect(() => bytesOf(Uint8Array.of(0x30, 3, 4, 1, 1))).toThrow(TypeError)
})

it('a signature that is not base64url is an error, whatever its algorithm', () => {
  for (const algorithm of ['ES256', 'RS256'] as const) {
    expect(() => receiptSignature({ signature: 'AQID=', algorithm })).toThrow('a stored signature is base64url')
  }
})
