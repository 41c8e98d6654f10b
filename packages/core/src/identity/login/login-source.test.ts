import { describe, expect, it } from 'vitest'
import type { KeyRing } from '../../shared/crypto/key-ring.ts'
import { aKeyRing } from '../../testing/create-test-countersign.ts'
import { loginSources } from './login-source.ts'

const email = 'ada@example.test'
const address = '198.51.100.7'

/** Returns the ring after a rotation: a new key signs, and the old key stays. */
const withNewKey = (ring: KeyRing): KeyRing => {
  const { current } = aKeyRing()
  return { current: { ...current, kid: 'new' }, secrets: new Map([['new', current.secret], ...ring.secrets]) }
}

describe('the source of a login attempt', () => {
  it('is constant for one account and one address', () => {
    const sourceOf = loginSources(aKeyRing())
    expect(sourceOf(email, address)).toStrictEqual(sourceOf(email, address))
  })

  it('has one account digest for all addresses, and a client digest for each pair of account and address', () => {
    const sourceOf = loginSources(aKeyRing())
    const [mine, elsewhere, nowhere, other] = [
      sourceOf(email, address),
      sourceOf(email, '198.51.100.8'),
      sourceOf(email, undefined),
      sourceOf('eve@example.test', address),
    ]
    expect(new Set([mine, elsewhere, nowhere, other].map(({ client }) => client)).size).toBe(4)
    expect([elsewhere.account, nowhere.account]).toStrictEqual([mine.account, mine.account])
    expect(other.account).not.toBe(mine.account)
  })

  it('reveals neither email nor address without the key', () => {
    const [one, other] = [loginSources(aKeyRing())(email, address), loginSources(aKeyRing())(email, address)]
    expect(one.client).not.toBe(other.client)
    expect(one.account).not.toBe(other.account)
    expect(one.client).toMatch(/^[\w-]{43}$/)
  })

  it('stays the same after a key rotation that keeps the oldest key', () => {
    const ring = aKeyRing()
    expect(loginSources(withNewKey(ring))(email, address)).toStrictEqual(loginSources(ring)(email, address))
  })
})
