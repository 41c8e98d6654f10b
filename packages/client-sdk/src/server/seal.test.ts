import { compactDecrypt } from 'jose'
import { expect, it } from 'vitest'
import { utf8 } from '../shared/encoding/bytes.ts'
import { hkdfSha256 } from '../shared/encoding/hkdf.ts'
import { open, seal } from './seal.ts'

const [secret, other] = ['a secret of this test, and of nothing else', 'another secret of this test, just as long']

it('a sealed text is a JSON Web Encryption that another library decrypts', async () => {
  const key = await hkdfSha256(utf8(secret), utf8(''), utf8('countersign/v1/server-session/name'), 32)
  const { plaintext, protectedHeader } = await compactDecrypt(await seal('täxt', secret, 'name'), new Uint8Array(key))
  expect(new TextDecoder().decode(plaintext)).toBe('täxt')
  expect(protectedHeader).toEqual({ alg: 'dir', enc: 'A256GCM', typ: 'countersign-server-session' })
})

it('a sealed text opens only with its secret, for its name, and unchanged', async () => {
  const sealed = await seal('text', secret, 'name')
  expect(sealed).not.toBe(await seal('text', secret, 'name'))
  expect(await open(sealed, [secret], 'name')).toBe('text')
  expect(await open(sealed, [other, secret], 'name')).toBe('text')
  expect(await open(sealed, [other], 'name')).toBeUndefined()
  expect(await open(sealed, [secret], 'other')).toBeUndefined()
  const header = Buffer.from('{"alg":"dir","enc":"A256GCM","typ":"another"}').toString('base64url')
  const [, ...rest] = sealed.split('.')
  for (const text of [`${sealed}.`, [header, ...rest].join('.'), sealed.replace('..', '.x.'), sealed.slice(0, -2), '', '....']) {
    expect(await open(text, [secret], 'name'), text).toBeUndefined()
  }
  const last = sealed.at(-1) ?? ''
  for (const character of 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'.replace(last, '')) {
    expect(await open(sealed.slice(0, -1) + character, [secret], 'name'), `${last} → ${character}`).toBeUndefined()
  }
})
