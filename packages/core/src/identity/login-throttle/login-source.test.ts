import { describe, expect, it } from 'vitest'
import { aDigestKey } from '../../testing/a-digest-key.ts'
import { loginSources } from './login-failures.ts'

const email = 'ada@example.test'
const address = '198.51.100.7'

describe('the source of a login attempt', () => {
  it('is constant for one account and one address', async () => {
    const sourceOf = loginSources(aDigestKey())
    expect(await sourceOf(email, address)).toStrictEqual(await sourceOf(email, address))
  })

  it('has one account digest for all addresses, and a client digest for each pair of account and address', async () => {
    const sourceOf = loginSources(aDigestKey())
    const [mine, elsewhere, nowhere, other] = await Promise.all([
      sourceOf(email, address),
      sourceOf(email, '198.51.100.8'),
      sourceOf(email, undefined),
      sourceOf('eve@example.test', address),
    ])
    expect(new Set([mine, elsewhere, nowhere, other].map(({ client }) => client)).size).toBe(4)
    expect([elsewhere.account, nowhere.account]).toStrictEqual([mine.account, mine.account])
    expect(other.account).not.toBe(mine.account)
  })

  it('reveals neither email nor address without the key', async () => {
    const [one, other] = [await loginSources(aDigestKey())(email, address), await loginSources(aDigestKey())(email, address)]
    expect(one.client).not.toBe(other.client)
    expect(one.account).not.toBe(other.account)
    expect(one.client).toMatch(/^[\w-]{43}$/)
  })
})
