import { type TokenUse, tokenUses } from '@countersign/contract'
import { createTestCountersign, type TestCountersign } from '@countersign/storage-sqlite/testing'
import { decodeJwt } from 'jose'
import { beforeAll, describe, expect, it } from 'vitest'
import { defaultOptions } from '../../options.ts'
import type { KeyRing } from '../../shared/crypto/key-ring.ts'
import { forgeToken, readForged } from '../../testing/forge-token.ts'
import { hostileTokens } from '../../testing/hostile-tokens.ts'
import { signInNewDeviceUser } from '../../testing/sign-in.ts'
import { aKeyRing } from '../../testing/test-keys.ts'
import { deriveTokenKeys } from './token-keys.ts'
import { knownTokens, verifyToken } from './verify-token.ts'

/** Returns one valid token of each use. */
const genuineTokens = async (test: TestCountersign): Promise<Record<TokenUse, string>> => {
  const { web, mobile } = await signInNewDeviceUser(test)
  const service = await test.countersign.serviceTokens.issue({ service: 'billing', scopes: ['verify'] })
  return {
    access: web.tokens.accessToken,
    refresh: web.tokens.refreshToken,
    biometric_access: mobile.tokens.accessToken,
    biometric_refresh: mobile.tokens.refreshToken,
    service: service.token,
  }
}

const depsOf = ({ jwtKeys, clock }: Pick<TestCountersign, 'jwtKeys' | 'clock'>) => ({
  tokenKeys: deriveTokenKeys(jwtKeys),
  knownTokens: knownTokens(),
  clock,
  options: defaultOptions,
})

const test = await createTestCountersign()
let genuine: Record<TokenUse, string>
beforeAll(async () => {
  genuine = await genuineTokens(test)
})

describe.each(tokenUses)('a token of use %s', (use) => {
  it('is accepted for its use, with its own claims', async () => {
    expect(verifyToken(depsOf(test), genuine[use], [use])).toStrictEqual(decodeJwt(genuine[use]))
  })

  it('is refused for any other use, cached or not', () => {
    const deps = depsOf(test)
    const others = tokenUses.filter((other) => other !== use)
    expect(verifyToken(deps, genuine[use], others)).toBeUndefined()
    expect(verifyToken(deps, genuine[use], [use])).toBeDefined()
    expect(verifyToken(deps, genuine[use], others)).toBeUndefined()
    expect(verifyToken(deps, genuine[use], [])).toBeUndefined()
  })

  it('is cached if clients present it repeatedly, and never if it is a refresh token', () => {
    const deps = depsOf(test)
    for (const asked of [tokenUses, [use], []] as const) verifyToken(deps, genuine[use], asked)
    expect(deps.knownTokens.get(genuine[use], test.clock.now()) !== undefined).toBe(!use.endsWith('refresh'))
  })

  it('is accepted if the test rebuilds it unchanged, so that the refusals below have their own reasons', () => {
    const key = deriveTokenKeys(test.jwtKeys)[use].current.key
    expect(forgeToken({ ...readForged(genuine[use]), key })).toBe(genuine[use])
  })

  it('is refused for any single fault', () => {
    const deps = depsOf(test)
    // A token that is derived from a cached token is a different token.
    verifyToken(deps, genuine[use], [use])
    const hostile = hostileTokens(test.jwtKeys, genuine[use])
    const accepted: string[] = []
    for (const { name, token } of hostile) {
      expect(token, name).not.toBe(genuine[use])
      if (verifyToken(deps, token, tokenUses) !== undefined) accepted.push(name)
    }
    expect(accepted).toStrictEqual([])
    expect(hostile.length).toBeGreaterThan(120)
  })

  it('is refused if a claim of its use is missing or has another type', async () => {
    const key = deriveTokenKeys(test.jwtKeys)[use].current.key
    const { header, payload } = readForged(genuine[use])
    const verifies = (changed: object) =>
      verifyToken(depsOf(test), forgeToken({ header, payload: changed, key }), tokenUses) !== undefined
    for (const claim of Object.keys(payload)) {
      const { [claim]: value, ...rest } = payload
      expect(verifies(rest), `without ${claim}`).toBe(false)
      expect(verifies({ ...rest, [claim]: typeof value === 'object' ? 'text' : {} }), `another kind of ${claim}`).toBe(false)
    }
    expect(verifies(payload)).toBe(true)
  })

  it('is valid until its expiry, to the millisecond', async () => {
    const exp = Number(decodeJwt(genuine[use]).exp) * 1000
    for (const deps of [depsOf(test), depsOf(test)]) {
      const at = (now: number) => verifyToken({ ...deps, clock: { now: () => now } }, genuine[use], [use])
      expect(at(exp - 1)).toBeDefined()
      expect(at(exp)).toBeUndefined()
      expect(at(exp + 1)).toBeUndefined()
      expect(at(exp - 1), 'a clock that steps back').toBeDefined()
    }
  })
})

describe('the size of a token', () => {
  it('is 8 KiB at most', async () => {
    const key = deriveTokenKeys(test.jwtKeys).access.current.key
    const { header, payload } = readForged(genuine.access)
    const ofSub = (length: number) => forgeToken({ header, payload: { ...payload, sub: 'x'.repeat(length) }, key })
    let length = 1
    while (ofSub(length + 1).length <= 8192) length += 1
    expect(verifyToken(depsOf(test), ofSub(length), ['access'])).toBeDefined()
    expect(verifyToken(depsOf(test), ofSub(length + 1), ['access'])).toBeUndefined()
  })
})

describe('a key ring', () => {
  const joined = (current: KeyRing, ...others: readonly KeyRing[]): KeyRing => ({
    current: current.current,
    secrets: new Map([current, ...others].flatMap(({ secrets }) => [...secrets])),
  })

  it('accepts tokens of its older keys, and signs with its first key', async () => {
    const [older, newer] = [aKeyRing(), aKeyRing()]
    const before = await createTestCountersign({ jwtKeys: older })
    const rotated = await createTestCountersign({ jwtKeys: joined(newer, older) })
    const old = await genuineTokens(before)
    const fresh = await genuineTokens(rotated)
    for (const use of tokenUses) {
      expect(verifyToken(depsOf(rotated), old[use], [use])).toStrictEqual(decodeJwt(old[use]))
      expect(readForged(fresh[use]).header.kid).toBe(newer.current.kid)
    }
  })

  it('refuses tokens of removed keys and of keys that are not added yet', async () => {
    const [older, newer] = [aKeyRing(), aKeyRing()]
    const before = await createTestCountersign({ jwtKeys: older })
    const after = await createTestCountersign({ jwtKeys: newer })
    expect(verifyToken(depsOf(after), (await genuineTokens(before)).access, ['access'])).toBeUndefined()
    expect(verifyToken(depsOf(before), (await genuineTokens(after)).access, ['access'])).toBeUndefined()
  })

  it('refuses a token that names one key and is signed with another key', async () => {
    const [older, newer] = [aKeyRing(), aKeyRing()]
    const rotated = await createTestCountersign({ jwtKeys: joined(newer, older) })
    const { header, payload } = readForged((await genuineTokens(rotated)).access)
    const key = deriveTokenKeys(older).access.current.key
    const signed = (kid: string) =>
      verifyToken(depsOf(rotated), forgeToken({ header: { ...header, kid }, payload, key }), ['access'])
    expect(signed(older.current.kid)).toBeDefined()
    expect(signed(newer.current.kid)).toBeUndefined()
  })

  it('derives a separate key for each use, and none equals the secret', () => {
    const ring = aKeyRing()
    const keys = Object.values(deriveTokenKeys(ring)).map(({ current }) => current.key.export().toString('hex'))
    expect(new Set([...keys, Buffer.from(ring.current.secret).toString('hex')]).size).toBe(tokenUses.length + 1)
  })
})

describe('concurrent checks of many tokens', () => {
  it('each return the claims of the presented token', () => {
    const { header, payload } = readForged(genuine.access)
    const key = deriveTokenKeys(test.jwtKeys).access.current.key
    const tokens = Array.from({ length: 1000 }, (_, id) => ({
      id,
      token: forgeToken({ header, payload: { ...payload, id }, key }),
    }))
    const deps = depsOf(test)
    // The first round verifies the tokens; the second round uses the cache.
    for (const round of ['first', 'second']) {
      const verified = tokens.map(({ token }) => verifyToken(deps, token, ['access']))
      expect(
        verified.map((claims) => claims?.id),
        round,
      ).toStrictEqual(tokens.map(({ id }) => id))
    }
  })
})
