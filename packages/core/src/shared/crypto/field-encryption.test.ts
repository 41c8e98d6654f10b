import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { systemRandom } from '../random.ts'
import { fromBase64Url, toBase64Url } from './base64.ts'
import {
  DataErased,
  erasedField,
  FieldNotOpened,
  type FieldPlace,
  openField,
  type SealedField,
  sealField,
} from './field-encryption.ts'
import { generateKeyRing, parseKeyRing } from './key-ring.ts'

const place: FieldPlace = { table: 'devices', column: 'push_token', row: '7' }
const text = 'the token of a phone'
const newKey = generateKeyRing(systemRandom)
const oldKey = generateKeyRing(systemRandom)
const ring = parseKeyRing(newKey)
const seal = (plaintext = text) => sealField(ring, systemRandom, place, plaintext)

/** Returns the encrypted field with its ciphertext and tag changed. */
const withSealedBytes = (field: SealedField, change: (bytes: Uint8Array) => Uint8Array): SealedField => {
  const [version, kid, nonce, sealed = ''] = field.split('.')
  const bytes = change(Uint8Array.from(fromBase64Url(sealed) ?? []))
  return [version, kid, nonce, toBase64Url(bytes)].join('.') as SealedField
}

const flipBit = (bytes: Uint8Array, bit: number): Uint8Array =>
  bytes.map((byte, index) => (index === bit >> 3 ? byte ^ (1 << (bit & 7)) : byte))

describe('a sealed field', () => {
  it('can be decrypted in the place for which it was encrypted, whatever its text is', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 200 }), (plaintext) => {
        expect(openField(ring, place, seal(plaintext))).toBe(plaintext)
      }),
    )
  })

  it('shows neither the text nor the key', () => {
    const field = seal()
    expect(field).toMatch(/^v1\.k[0-9a-f]{8}\.[A-Za-z0-9_-]{16}\.[A-Za-z0-9_-]+$/)
    expect(field).not.toContain(Buffer.from(text).toString('base64url'))
    expect(field).not.toContain(toBase64Url(ring.current.secret))
  })

  it('has a new nonce each time', () => {
    expect(new Set(Array.from({ length: 1000 }, () => seal().split('.')[2])).size).toBe(1000)
  })

  it.each([
    ['row', { ...place, row: '8' }],
    ['column', { ...place, column: 'reason' }],
    ['table', { ...place, table: 'confirmations' }],
    ['place whose names join to the same text', { table: 'devices","push_token', column: '7', row: '' }],
  ])('is not decrypted in another %s', (_, elsewhere) => {
    expect(() => openField(ring, elsewhere as FieldPlace, seal())).toThrow(FieldNotOpened)
  })

  it('is not decrypted when a bit of the ciphertext or the tag is flipped', () => {
    const field = seal()
    const bits = (text.length + 16) * 8
    for (let bit = 0; bit < bits; bit += 1) {
      expect(() =>
        openField(
          ring,
          place,
          withSealedBytes(field, (bytes) => flipBit(bytes, bit)),
        ),
      ).toThrow(FieldNotOpened)
    }
  })

  it('is not decrypted when a bit of the nonce is flipped', () => {
    const [version, kid, nonce = '', sealed] = seal().split('.')
    for (let bit = 0; bit < 96; bit += 1) {
      const other = toBase64Url(flipBit(Uint8Array.from(fromBase64Url(nonce) ?? []), bit))
      expect(() => openField(ring, place, [version, kid, other, sealed].join('.') as SealedField)).toThrow(FieldNotOpened)
    }
  })

  it.each([
    ['a long text', text],
    ['a short text', 'x'],
    ['an empty text', ''],
  ])('is not decrypted with a shortened tag, down to four bytes: %s', (_, plaintext) => {
    const field = seal(plaintext)
    for (let cut = 1; cut <= 12; cut += 1) {
      expect(() =>
        openField(
          ring,
          place,
          withSealedBytes(field, (bytes) => bytes.subarray(0, bytes.length - cut)),
        ),
      ).toThrow(FieldNotOpened)
    }
  })

  it('is not decrypted when something is appended', () => {
    const field = seal()
    expect(() =>
      openField(
        ring,
        place,
        withSealedBytes(field, (bytes) => Uint8Array.from([...bytes, 0])),
      ),
    ).toThrow(FieldNotOpened)
    expect(() => openField(ring, place, `${field}.` as SealedField)).toThrow(FieldNotOpened)
    expect(() => openField(ring, place, `${field}=` as SealedField)).toThrow(FieldNotOpened)
  })

  it.each(['v1', 'v1...', 'plain text', 'v1.k.AAAA.AAAA', '....'])('is refused as malformed: %j', (malformed) => {
    expect(() => openField(ring, place, malformed as SealedField)).toThrow(FieldNotOpened)
  })

  it('gives a separate error if it was erased', () => {
    expect(() => openField(ring, place, erasedField)).toThrow(DataErased)
  })

  it('is not decrypted if its version or its key id is changed', () => {
    const field = seal()
    expect(() => openField(ring, place, field.replace('v1', 'v2') as SealedField)).toThrow(FieldNotOpened)
    const secret = toBase64Url(ring.current.secret)
    const renamed = parseKeyRing(`other:${secret}`)
    expect(() => openField(renamed, place, field.replace(ring.current.kid, 'other') as SealedField)).toThrow(FieldNotOpened)
  })

  it('gives an error without text and key when it cannot be decrypted', () => {
    const field = seal()
    const attempts = [
      () => openField(ring, { ...place, row: '8' }, field),
      () => openField(parseKeyRing(oldKey), place, field),
      () => openField(ring, place, 'plain text' as SealedField),
    ]
    for (const attempt of attempts) {
      try {
        attempt()
        expect.unreachable()
      } catch (error) {
        expect(error).toBeInstanceOf(FieldNotOpened)
        const shown = `${(error as Error).message} ${(error as Error).cause}`
        for (const secret of [text, 'plain text', toBase64Url(ring.current.secret), field]) expect(shown).not.toContain(secret)
      }
    }
  })

  describe('after a key rotation', () => {
    const sealedBefore = sealField(parseKeyRing(oldKey), systemRandom, place, text)
    const rotated = parseKeyRing(`${newKey},${oldKey}`)

    it('is decrypted with the old key', () => {
      expect(openField(rotated, place, sealedBefore)).toBe(text)
    })

    it('is sealed with the first key of the ring', () => {
      const field = sealField(rotated, systemRandom, place, text)
      expect(openField(ring, place, field)).toBe(text)
      expect(() => openField(parseKeyRing(oldKey), place, field)).toThrow(FieldNotOpened)
    })

    it('is not decrypted when its key is no longer on the ring', () => {
      expect(() => openField(ring, place, sealedBefore)).toThrow('the key of this field is not on the ring')
    })
  })
})
