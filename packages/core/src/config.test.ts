import { createTestStorage } from '@countersign/storage-sqlite/testing'
import { describe, expect, it } from 'vitest'
import type { CountersignConfig } from './config.ts'
import { createCountersign } from './countersign.ts'
import { toBase64Url } from './shared/crypto/base64.ts'
import { InvalidKeyRing, parseKeyRing } from './shared/crypto/key-ring.ts'
import { systemRandom } from './shared/random.ts'
import { aKeyRing } from './testing/test-keys.ts'

const whole: CountersignConfig = { storage: await createTestStorage(), jwtKeys: aKeyRing(), encryptionKeys: aKeyRing() }
const create = (given: object) => () => createCountersign({ ...whole, ...given })
const secret = toBase64Url(systemRandom.bytes(48))

describe('the configuration of a host', () => {
  it.each([undefined, null, 'storage', 7])('is refused when it is %j', (config) => {
    expect(() => createCountersign(config as never)).toThrow(
      new TypeError('createCountersign takes an object with storage, jwtKeys and encryptionKeys'),
    )
  })

  it.each([undefined, null, 'sqlite:x.db', () => whole.storage])('is refused when the storage is %o', (storage) => {
    expect(create({ storage })).toThrow(new TypeError('storage must be a Storage'))
  })

  it('is refused when the storage lacks a store, or is still a promise', async () => {
    expect(create({ storage: Promise.resolve(whole.storage) })).toThrow(
      new TypeError('storage must be a Storage, and lacks users'),
    )
    const { confirmations: _, ...storage } = whole.storage
    expect(create({ storage })).toThrow(new TypeError('storage must be a Storage, and lacks confirmations'))
    const { expenses: __, ...projects } = (await createTestStorage()).projects
    expect(create({ storage: { ...whole.storage, projects } })).toThrow(
      new TypeError('storage.projects must be a ProjectStores, and lacks expenses'),
    )
    expect(create({ storage: { ...whole.storage, transaction: 'x' } })).toThrow(
      'storage must be a Storage, and lacks transaction',
    )
  })

  it.each(['jwtKeys', 'encryptionKeys'])('is refused when %s is not a parsed key ring', (name) => {
    for (const ring of [
      undefined,
      null,
      `k:${secret}`,
      {},
      { secrets: new Map() },
      { ...aKeyRing(), secrets: aKeyRing().secrets },
    ]) {
      expect(create({ [name]: ring })).toThrow(new InvalidKeyRing(`${name} must be a key ring, as parseKeyRing reads it`))
    }
  })

  it('needs keys of at least 256 bits, and encryption keys of exactly 256 bits', () => {
    const ring = parseKeyRing(`k:${secret}`)
    expect(create({ jwtKeys: ring })).not.toThrow()
    expect(create({ encryptionKeys: ring })).toThrow(
      new InvalidKeyRing('encryptionKeys: entry 1 must hold a secret of exactly 256 bits'),
    )
    const short = { kid: 'k', secret: systemRandom.bytes(16) }
    expect(create({ jwtKeys: { current: short, secrets: new Map([[short.kid, short.secret]]) } })).toThrow(
      new InvalidKeyRing('jwtKeys: entry 1 must hold a secret of at least 256 bits'),
    )
    const { secrets, current } = aKeyRing()
    expect(create({ jwtKeys: { current: { ...current, secret: short.secret }, secrets } })).toThrow(
      new InvalidKeyRing('jwtKeys: the current key must hold a secret of at least 256 bits'),
    )
  })

  it.each([
    ['users', 'a UserDirectory, and lacks byEmail'],
    ['clock', 'a Clock, and lacks now'],
    ['random', 'a Random, and lacks bytes'],
    ['passwords', 'a PasswordHasher, and lacks hash'],
    ['push', 'a PushProvider, and lacks send'],
    ['background', 'a Background, and lacks run'],
    ['logger', 'a Logger, and lacks debug'],
    ['rateLimitStore', 'a RateLimitStore, and lacks take'],
  ])('accepts %s, and refuses a port that lacks a method', (name, takes) => {
    expect(create({ [name]: undefined })).not.toThrow()
    expect(create({ [name]: {} })).toThrow(new TypeError(`${name} must be ${takes}`))
    for (const port of [null, 'x', () => {}]) expect(create({ [name]: port })).toThrow(TypeError)
  })

  it.each(['cacheHealth', 'onNotice'])('refuses a %s that is not a function', (name) => {
    expect(create({ [name]: 'healthy' })).toThrow(new TypeError(`${name} must be a function`))
  })
})
