import { sign } from 'node:crypto'
import { CompactSign, calculateJwkThumbprint, compactVerify, importJWK } from 'jose'
import { describe, expect, it } from 'vitest'
import { InvalidKeyRing } from '../../shared/crypto/key-ring.ts'
import { generateReceiptKeyRing, parseReceiptKeyRing } from './receipt-key-ring.ts'

const fromHex = (hex: string): string => Buffer.from(hex, 'hex').toString('base64url')

/** RFC 8032 §7.1: private key, public key, message, signature. */
const rfc8032 = [
  [
    '9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60',
    'd75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a',
    '',
    'e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b',
  ],
  [
    '4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb',
    '3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c',
    '72',
    '92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00',
  ],
  [
    'c5aa8df43f9f837bedb7442f31dcb7b166d38535076f094b85ce3a2e0b4458f7',
    'fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025',
    'af82',
    '6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28dc027beceea1ec40a',
  ],
] as const

describe('a receipt key', () => {
  it.each(rfc8032)(
    'of RFC 8032 §7.1 (%s) has the public key and the signature of the RFC',
    (secret, publicKey, message, signature) => {
      const { keys } = parseReceiptKeyRing(`Ed25519:${fromHex(secret)}`)
      const [key] = keys
      expect(key?.jwk).toStrictEqual({ kty: 'OKP', crv: 'Ed25519', x: fromHex(publicKey) })
      expect(key && sign(null, Buffer.from(message, 'hex'), key.privateKey).toString('hex')).toBe(signature)
    },
  )

  /** RFC 8037, appendix A.1: the private key. */
  const d = 'nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A'
  /** Appendix A.2: its public key. */
  const publicJwk = { kty: 'OKP', crv: 'Ed25519', x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo' } as const

  it('has the public key of RFC 8037, appendix A.2, and the thumbprint of A.3 as its id', async () => {
    const [key] = parseReceiptKeyRing(`Ed25519:${d}`).keys
    const kid = 'kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k'
    expect(key).toMatchObject({ alg: 'Ed25519', kid, jwk: publicJwk })
    expect(await calculateJwkThumbprint(publicJwk)).toBe(kid)
  })

  it('makes the JWS of RFC 8037, appendix A.4, with `jose`, and only the public key of A.2 verifies it', async () => {
    const [key] = parseReceiptKeyRing(`Ed25519:${d}`).keys
    if (key === undefined) throw new Error('no key')
    const jws = await new CompactSign(Buffer.from('Example of Ed25519 signing'))
      .setProtectedHeader({ alg: 'EdDSA' })
      .sign(key.privateKey)
    expect(jws).toBe(
      'eyJhbGciOiJFZERTQSJ9.RXhhbXBsZSBvZiBFZDI1NTE5IHNpZ25pbmc.hgyY0il_MGCjP0JzlnLWG1PPOt7-09PGcvMg3AIbQR6dWbhijcNR4ki4iylGjg5BhVsPt9g7sVvpAr_MuM0KAg',
    )
    const verifyWith = async (jwk: object) => compactVerify(jws, await importJWK({ ...jwk }, 'EdDSA'), { algorithms: ['EdDSA'] })
    await expect(verifyWith(publicJwk)).resolves.toMatchObject({ protectedHeader: { alg: 'EdDSA' } })
    const [other] = parseReceiptKeyRing(generateReceiptKeyRing()).keys
    await expect(verifyWith(other?.jwk ?? {})).rejects.toThrow()
  })
})

describe('a ring of receipt keys', () => {
  it.each(['Ed25519', 'ES256'] as const)('is generated with one key for %s, and another key each time', (alg) => {
    const texts = [generateReceiptKeyRing(alg), generateReceiptKeyRing(alg)]
    const rings = texts.map(parseReceiptKeyRing)
    expect(rings.map(({ keys }) => keys.map((key) => key.alg))).toStrictEqual([[alg], [alg]])
    expect(rings[0]?.keys[0]?.kid).not.toBe(rings[1]?.keys[0]?.kid)
    expect(JSON.stringify(rings[0]?.keys[0]?.jwk)).not.toContain(texts[0]?.split(':')[1])
  })

  it('is generated with a key id that does not look like an option of a command', () => {
    const rings = Array.from({ length: 500 }, () => parseReceiptKeyRing(generateReceiptKeyRing()))
    expect(rings.flatMap(({ keys }) => keys).filter(({ kid }) => kid.startsWith('-'))).toStrictEqual([])
  })

  it('is not generated for an unknown algorithm', () => {
    for (const alg of ['EdDSA', () => new Uint8Array(32)]) {
      expect(() => generateReceiptKeyRing(alg as never)).toThrow('takes Ed25519 or ES256')
    }
  })

  it('has several keys in the given order', () => {
    const texts = [generateReceiptKeyRing('ES256'), generateReceiptKeyRing()]
    expect(parseReceiptKeyRing(texts.join()).keys).toMatchObject(texts.map((text) => parseReceiptKeyRing(text).keys[0]))
  })

  const [good] = [generateReceiptKeyRing()]
  it.each([
    ['is no text', undefined],
    ['is empty', ''],
    ['is a PEM', '-----BEGIN PRIVATE KEY-----'],
    ['names an unknown algorithm', `HS256:${'A'.repeat(43)}`],
    ['names a token key', 'k1:bm90IGEga2V5IGJ1dCBhIHNlY3JldCBvZiAzMiBieXRlcyE'],
    ['has a short key', 'Ed25519:AAAA'],
    ['has padding', `${good}=`],
    ['has a third part', `${good}:1`],
    ['has a key that is not random', `Ed25519:${Buffer.alloc(32, 7).toString('base64url')}`],
    ['has a key beyond the order of P-256', `ES256:${fromHex('f'.repeat(62))}_w`],
    ['repeats a key', `${good},${good}`],
  ])('that %s is refused, and the message contains no part of the text', (_, text) => {
    const parse = () => parseReceiptKeyRing(text as string)
    expect(parse).toThrow(InvalidKeyRing)
    for (const part of (text ?? '').split(/[:,]/).filter((one) => one.length > 10)) {
      expect(() => parse()).not.toThrow(new RegExp(part))
    }
  })

  it('that is a PEM is recognised as one, also in base64', () => {
    const pem = '-----BEGIN PRIVATE KEY-----'
    for (const text of [pem, Buffer.from(pem).toString('base64')]) {
      expect(() => parseReceiptKeyRing(text)).toThrow(/^looks like PEM/)
    }
  })

  it('may have a key of 8 different bytes, and of no fewer', () => {
    const keyOf = (different: number) => Buffer.from(Array.from({ length: 32 }, (_, at) => at % different)).toString('base64url')
    expect(parseReceiptKeyRing(`Ed25519:${keyOf(8)}`).keys).toHaveLength(1)
    expect(() => parseReceiptKeyRing(`Ed25519:${keyOf(7)}`)).toThrow('entry 1 is not random')
  })

  it('that is wrong in one entry names its position', () => {
    expect(() => parseReceiptKeyRing(`${good},Ed25519:AAAA`)).toThrow(/^entry 2 must hold/)
    expect(() => parseReceiptKeyRing(`${good},${good}`)).toThrow(/^entry 2 repeats/)
  })
})
