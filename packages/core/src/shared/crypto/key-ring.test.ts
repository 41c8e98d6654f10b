import { describe, expect, it } from 'vitest'
import { systemRandom } from '../random.ts'
import { toBase64Url } from './base64.ts'
import { generateKeyRing, InvalidKeyRing, parseKeyRing } from './key-ring.ts'

const secretOf = (bytes: number) => toBase64Url(systemRandom.bytes(bytes))
const [one, other] = [secretOf(32), secretOf(32)]
const low = toBase64Url(Uint8Array.from({ length: 32 }, (_, index) => index % 7))
const pem = '-----BEGIN PRIVATE KEY-----\nMIGHAgEAMBMGByqGSM49\n-----END PRIVATE KEY-----'
const pemAsBase64Url = Buffer.from(pem).toString('base64url')

describe('a key ring', () => {
  it('signs with its first key and verifies with all keys', () => {
    const ring = parseKeyRing(`k2:${one},k1:${other}`)
    expect(ring.current.kid).toBe('k2')
    expect(toBase64Url(ring.current.secret)).toBe(one)
    expect([...ring.secrets].map(([kid, secret]) => [kid, toBase64Url(secret)])).toStrictEqual([
      ['k2', one],
      ['k1', other],
    ])
  })

  it('accepts secrets of at least 256 bits, or of exactly 256 bits', () => {
    expect(parseKeyRing(`k:${secretOf(64)}`).current.secret).toHaveLength(64)
    expect(parseKeyRing(`k:${one}`, { exactly: true }).current.secret).toHaveLength(32)
    expect(() => parseKeyRing(`k:${secretOf(64)}`, { exactly: true })).toThrow('entry 1 must hold a secret of exactly 256 bits')
  })

  it('is refused with the position of the wrong entry and the reason', () => {
    expect(() => parseKeyRing(`a:${one},b:${secretOf(31)}`)).toThrow('entry 2 must hold a secret of at least 256 bits')
    expect(() => parseKeyRing(`a:${one},${other}`)).toThrow('entry 2 must have the form kid:base64url')
  })

  it('is refused when the value is not text', () => {
    for (const given of [undefined, null, 7, ['k:x']]) {
      expect(() => parseKeyRing(given as never)).toThrow(new InvalidKeyRing('must be text of the form kid:base64url'))
    }
  })

  it.each([
    ['an empty text', ''],
    ['white space', ' '],
    ['a secret without an id', one],
    ['an empty id', `:${one}`],
    ['an id with other characters', `my key:${one}`],
    ['an id that is too long', `${'k'.repeat(65)}:${one}`],
    ['an empty secret', 'k:'],
    ['a secret of fewer than 256 bits', `k:${secretOf(31)}`],
    ['a secret that is too long', `k:${secretOf(129)}`],
    ['padded base64', `k:${Buffer.from(systemRandom.bytes(32)).toString('base64')}`],
    ['standard base64', `k:${Buffer.alloc(32, 0xfb).toString('base64').replaceAll('=', '')}`],
    ['a character outside base64', `k:${one}!`],
    ['white space around an entry', `k:${one}, l:${other}`],
    ['a comma at the end', `k:${one},`],
    ['a repeated id', `k:${one},k:${other}`],
    ['a repeated secret', `k:${one},l:${one}`],
    ['a secret of few different bytes', `k:${low}`],
    ['a secret of zeros', `k:${toBase64Url(new Uint8Array(32))}`],
    ['PEM', `k:${pem}`],
    ['PEM as base64url', `k:${pemAsBase64Url}`],
  ])('is refused for %s, and the error shows no secret', (_, text) => {
    const parse = () => parseKeyRing(text)
    expect(parse).toThrow(InvalidKeyRing)
    const secrets = text.split(/[,:\n]/).filter((part) => part.trim().length > 8)
    try {
      parse()
    } catch (error) {
      const shown = `${error} ${(error as Error).stack} ${JSON.stringify(error)}`
      for (const secret of secrets) expect(shown).not.toContain(secret)
    }
  })

  it('is generated with one new 256-bit key, and can be parsed', () => {
    const [first, second] = [generateKeyRing(systemRandom), generateKeyRing(systemRandom)]
    expect(first).not.toBe(second)
    const ring = parseKeyRing(first, { exactly: true })
    expect(ring.secrets.size).toBe(1)
    expect(first).toBe(`${ring.current.kid}:${toBase64Url(ring.current.secret)}`)
  })
})
