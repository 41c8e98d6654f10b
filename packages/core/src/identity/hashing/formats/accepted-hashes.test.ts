import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readHash } from './read-hash.ts'
import { type HashFormat, isRefused } from './stored-hash.ts'

/** Base64 of so many bytes, with padding or without. Sometimes the last character is another, so that the tail bits are wrong. */
const base64ish = (minLength: number, maxLength: number) =>
  fc
    .tuple(fc.uint8Array({ minLength, maxLength }), fc.constantFrom('whole', 'unpadded', 'unpadded', 'other'))
    .map(([bytes, form]) => {
      const padded = Buffer.from(bytes).toString('base64')
      if (form === 'whole') return padded
      const unpadded = padded.replaceAll('=', '')
      return form === 'unpadded' ? unpadded : `${unpadded.slice(0, -1)}B`
    })
const salt = base64ish(1, 70)
const digest = base64ish(15, 130)
const number = (...least: number[]) => fc.oneof(fc.constantFrom(...least), fc.integer({ min: 0, max: 20 }))

const argon2 = (id: string) =>
  fc
    .tuple(fc.constantFrom(16, 19), number(8, 64), number(1), number(1, 2), salt, digest)
    .map(([v, m, t, p, ...both]) => `$${id}$v=${v}$m=${m},t=${t},p=${p}$${both.join('$')}`)
const pbkdf2 = (id: string) => fc.tuple(number(1), salt, digest).map(([i, ...both]) => `$${id}$i=${i}$${both.join('$')}`)
const scrypt = fc
  .tuple(number(1, 16), number(1, 2), number(1), salt, digest)
  .map(([ln, r, p, ...both]) => `$scrypt$ln=${ln},r=${r},p=${p}$${both.join('$')}`)
const firebase = fc
  .tuple(number(1, 16), number(1, 2), base64ish(1, 4), base64ish(16, 40), salt, fc.option(digest))
  .map(([n, r, ss, sk, of, other]) => `$fbscrypt$v=1,n=${n},r=${r},p=1,ss=${ss},sk=${sk}$${of}$${other ?? sk}`)
const bcrypt = fc
  .tuple(fc.constantFrom('2a', '2b', '2y'), fc.array(fc.constantFrom(...'./Oeu2'), { minLength: 53, maxLength: 53 }))
  .map(([id, body]) => `$${id}$04$${body.join('')}`)

describe('every accepted hash can be checked', () => {
  it.each<[HashFormat, fc.Arbitrary<string>]>([
    ['argon2id', argon2('argon2id')],
    ['argon2i', argon2('argon2i')],
    ['argon2d', argon2('argon2d')],
    ['bcrypt', bcrypt],
    ['scrypt', scrypt],
    ['fbscrypt', firebase],
    ['pbkdf2-sha1', pbkdf2('pbkdf2')],
    ['pbkdf2-sha256', pbkdf2('pbkdf2-sha256')],
    ['pbkdf2-sha512', pbkdf2('pbkdf2-sha512')],
  ])('%s', async (format, texts) => {
    let checked = 0
    await fc.assert(
      fc.asyncProperty(texts, fc.string(), async (text, password) => {
        const hash = readHash(text)
        if (isRefused(hash) || hash.estimatedMs > 5) return
        checked += 1
        expect(hash.format).toBe(format)
        expect(await hash.matches(password)).toBe(false)
      }),
    )
    expect(checked).toBeGreaterThan(0)
  })

  it('scrypt with the greatest N that its block size allows', async () => {
    const hash = readHash(`$scrypt$ln=15,r=1,p=1$AAAA$${'A'.repeat(43)}`)
    expect(isRefused(hash) || (await hash.matches('password'))).toBe(false)
  })
})

it.each([
  ['scrypt whose N is 2^(16·r)', `$scrypt$ln=16,r=1,p=1$AAAA$${'A'.repeat(43)}`],
  ['Firebase scrypt whose N is 2^(16·r)', `$fbscrypt$v=1,n=16,r=1,p=1,ss=Bw==,sk=${'A'.repeat(43)}$AAAA$${'A'.repeat(43)}`],
  ['Firebase scrypt of cost 99', `$fbscrypt$v=1,n=99,r=8,p=1,ss=Bw==,sk=${'A'.repeat(43)}$AAAA$${'A'.repeat(43)}`],
  ['argon2 with tail bits in the salt', `$argon2id$v=19$m=8,t=1,p=1$AAAAAAAAAAAAAB$${'A'.repeat(43)}`],
  ['argon2 with tail bits in the digest', `$argon2id$v=19$m=8,t=1,p=1$AAAAAAAAAAAAAA$${'A'.repeat(42)}B`],
  ['scrypt with tail bits', `$scrypt$ln=4,r=8,p=1$AB$${'A'.repeat(43)}`],
  ['scrypt with wrong padding', `$scrypt$ln=4,r=8,p=1$AAAA=$${'A'.repeat(43)}`],
  ['PBKDF2 with tail bits', `$pbkdf2-sha256$i=1$AAAA$${'A'.repeat(42)}B`],
  ['base64url', `$scrypt$ln=4,r=8,p=1$AA-_$${'A'.repeat(43)}`],
])('%s is refused', (_, text) => {
  expect(readHash(text)).toStrictEqual({ refusal: expect.stringMatching(/^must /) })
})

it.each([`$scrypt$ln=4,r=8,p=1$AA==$${'A'.repeat(43)}=`, `$argon2id$v=19$m=8,t=1,p=1$AAAAAAAAAAAAAA==$${'A'.repeat(43)}=`])(
  '%s is accepted',
  (text) => {
    expect(readHash(text)).toHaveProperty('matches')
  },
)
