import { limits, type TokenUse, tokenUses } from '@countersign/contract'
import { createTestCountersign, type TestCountersign } from '@countersign/storage-sqlite/testing'
import fc from 'fast-check'
import { decodeJwt, decodeProtectedHeader, jwtVerify } from 'jose'
import { beforeAll, describe, expect, it } from 'vitest'
import { defaultOptions } from '../../options.ts'
import { forgeToken, readForged } from '../../testing/forge-token.ts'
import { hostileTokens } from '../../testing/hostile-tokens.ts'
import { signInNewDeviceUser } from '../../testing/sign-in.ts'
import { claimsOfUse, tokenTypes } from './claims.ts'
import { deriveTokenKeys } from './token-keys.ts'
import { knownTokens, verifyToken } from './verify-token.ts'

/** Compares the own HS256 check with jose, on thousands of valid and invalid tokens. */

const test: TestCountersign = await createTestCountersign()
let genuine: Record<TokenUse, string>
beforeAll(async () => {
  const { web, mobile } = await signInNewDeviceUser(test)
  const service = await test.countersign.serviceTokens.issue({ service: 'billing', scopes: ['verify'] })
  genuine = {
    access: web.tokens.accessToken,
    refresh: web.tokens.refreshToken,
    biometric_access: mobile.tokens.accessToken,
    biometric_refresh: mobile.tokens.refreshToken,
    service: service.token,
  }
})

const tokenKeys = deriveTokenKeys(test.jwtKeys)
const verdictOfOurs = (use: TokenUse, token: string): unknown =>
  verifyToken({ tokenKeys, knownTokens: knownTokens(), clock: test.clock, options: defaultOptions }, token, [use])

/** Returns the claims that jose and the schema of the use accept; nothing where either refuses. */
const verdictOfJose = async (use: TokenUse, token: string): Promise<unknown> => {
  try {
    const { payload } = await jwtVerify(token, tokenKeys[use].current.key, {
      algorithms: ['HS256'],
      typ: tokenTypes[use],
      issuer: defaultOptions.issuer,
      audience: defaultOptions.issuer,
      currentDate: new Date(test.clock.now()),
      requiredClaims: ['exp', 'iat', 'iss', 'aud', 'sub', 'jti'],
    })
    return claimsOfUse[use].safeParse(payload).data
  } catch {
    return undefined
  }
}

/** Returns whether the token has the encoding and size of this issuer. jose accepts other encodings too. */
const isOfOneSpelling = (use: TokenUse, token: string): boolean => {
  const header = decodeProtectedHeader(token)
  const { alg, typ, kid, ...others } = header
  const isOurs =
    alg === 'HS256' && typ === tokenTypes[use] && kid === test.jwtKeys.current.kid && Object.keys(others).length === 0
  const signature = token.slice(token.lastIndexOf('.') + 1)
  const rewritten = [header, decodeJwt(token)].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
  return (
    isOurs &&
    token.length <= limits.tokenBytes &&
    token === [...rewritten, Buffer.from(signature, 'base64url').toString('base64url')].join('.')
  )
}

/** Expects the same verdict from both, except for other encodings that only jose accepts. */
const expectAgreement = async (use: TokenUse, token: string, what: string): Promise<'accepted' | 'refused'> => {
  const [ours, theirs] = [verdictOfOurs(use, token), await verdictOfJose(use, token)]
  if (theirs === undefined || isOfOneSpelling(use, token)) expect(ours, `${what}: ${token}`).toStrictEqual(theirs)
  else expect(ours, `${what}: ${token}`).toBeUndefined()
  return ours === undefined ? 'refused' : 'accepted'
}

describe.each(tokenUses)('a token of use %s gets the same verdict from jose', (use) => {
  it('if it has any claims and is correctly signed', async () => {
    const { header, payload } = readForged(genuine[use])
    const instant = Math.floor(test.clock.now() / 1000)
    const times = fc.oneof(
      fc.integer({ min: instant - 2, max: instant + 2 }),
      fc.nat(),
      fc.nat({ max: 2 ** 40 }).map((seconds) => instant + seconds),
      fc.double(),
      fc.constant(String(instant + 60)),
    )
    const change = fc.oneof(
      fc.record({ exp: times }),
      fc.record({ iat: times }),
      fc.record({ nbf: times }),
      fc.record({ iss: fc.constantFrom('countersign', 'other', ['countersign']) }),
      fc.record({ aud: fc.constantFrom('countersign', 'other', ['countersign']) }),
      fc.record({ sub: fc.oneof(fc.string(), fc.constant(1)) }),
      fc.record({ jti: fc.oneof(fc.uuid(), fc.string()) }),
      fc.record({ token_use: fc.constantFrom(...tokenUses) }),
    )
    const changes = fc.array(change, { maxLength: 3 }).map((parts): object => Object.assign({}, ...parts) as object)
    const seen = { accepted: 0, refused: 0 }
    await fc.assert(
      fc.asyncProperty(changes, async (changed) => {
        const token = forgeToken({ header, payload: { ...payload, ...changed }, key: tokenKeys[use].current.key })
        seen[await expectAgreement(use, token, JSON.stringify(changed))] += 1
      }),
      { numRuns: 300 },
    )
    expect(Math.min(seen.accepted, seen.refused), 'both were seen').toBeGreaterThan(10)
  })

  it('if any character is changed, added or removed', async () => {
    const token = genuine[use]
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_+/=. \nŁ'
    const mangled = fc.tuple(fc.nat(token.length - 1), fc.constantFrom(...alphabet), fc.constantFrom(0, 1))
    await fc.assert(
      fc.asyncProperty(mangled, async ([at, character, removed]) => {
        const other = token.slice(0, at) + character + token.slice(at + removed)
        if (other !== token) expect(await expectAgreement(use, other, `at ${at}`)).toBe('refused')
      }),
      { numRuns: 300 },
    )
    expect(await expectAgreement(use, token, 'as it was issued')).toBe('accepted')
  })
})

it('every attack on a token gets the same verdict from jose', async () => {
  for (const { name, token } of hostileTokens(test.jwtKeys, genuine.access)) {
    expect(await expectAgreement('access', token, name), name).toBe('refused')
  }
})
