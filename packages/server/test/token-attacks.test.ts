import { type OperationName, type TokenUse, tokenUses } from '@countersign/contract'
import { aKeyRing, hostileTokens } from '@countersign/core/testing'
import { createTestStorage } from '@countersign/storage-sqlite/testing'
import { describe, expect, it, vi } from 'vitest'
import { claimsOf } from '../src/testing/claims-of.ts'
import { anExample, operationNames, operationOf } from '../src/testing/examples.ts'
import { expectDocumented } from '../src/testing/expect-answer.ts'
import { type DeviceUser, deviceLogin, serviceToken, signIn, signInWithDevice } from '../src/testing/sign-in.ts'
import { createTestApp, type TestApp, type TestAppOptions } from '../src/testing/test-app.ts'

vi.setConfig({ testTimeout: 120_000 })

const anApp = (more: TestAppOptions = {}) => createTestApp({ options: { rateLimits: 'off' }, ...more })

/** A place in a request in which a token authorizes the operation. */
interface Place {
  readonly name: OperationName
  readonly carrier: 'header' | 'body'
  /** The token uses that are accepted there. */
  readonly opens: readonly TokenUse[]
}

const bearers = {
  none: [],
  user: ['access', 'biometric_access'],
  service: ['service'],
  presented: ['access', 'biometric_access', 'service'],
} as const

/** These operations need a device: another access token is refused with 403. */
const forDevices: readonly OperationName[] = [
  'confirmations.pending',
  'confirmations.verify',
  'devices.vouch',
  'passkeys.vouch',
  'account.lock',
]

/** What these operations name does not exist for another access token. */
const hidden: readonly OperationName[] = ['approvals.stop', 'devices.vouching', 'passkeys.vouching']

/** Derived from the contract, so that new operations are covered. The body of a logout is tested below. */
const places: readonly Place[] = [
  ...operationNames
    .filter((name) => operationOf(name).authentication !== 'none')
    .map((name): Place => ({ name, carrier: 'header', opens: bearers[operationOf(name).authentication] })),
  { name: 'auth.refresh', carrier: 'body', opens: ['refresh'] },
  { name: 'mobile.refresh', carrier: 'body', opens: ['biometric_refresh'] },
]

/** Returns a function that sends one valid example of an operation with a token at each call. */
const prepare = async (test: TestApp, { name, carrier }: Place, user: DeviceUser) => {
  if (carrier === 'body') return (token: string) => test.call(name, { refreshToken: token })
  const { input } = await anExample(test, name, user)
  return (token: string) => test.call(name, input, { token })
}

/** Sends an operation's valid example with this token. */
const present = async (test: TestApp, place: Place, user: DeviceUser, token: string) => (await prepare(test, place, user))(token)

/** Returns one valid token of each use. All except the service token belong to this user. */
const tokensOf = async (test: TestApp, user: DeviceUser): Promise<Record<TokenUse, string>> => ({
  access: user.token,
  biometric_access: user.deviceToken,
  refresh: user.tokens.refreshToken,
  biometric_refresh: user.deviceTokens.refreshToken,
  service: await serviceToken(test),
})

/** Logs the same user in again with the same device. */
const logInAgain = async (test: TestApp, user: DeviceUser): Promise<DeviceUser> => {
  const deviceTokens = await deviceLogin(test, user)
  return { ...user, ...(await signIn(test, user.user)), deviceTokens, deviceToken: deviceTokens.accessToken }
}

const expectedOf = ({ name, opens }: Place, use: TokenUse): number => {
  if (!opens.includes(use)) return 401
  if (use === 'access' && hidden.includes(name)) return 404
  return use === 'access' && forDevices.includes(name) ? 403 : operationOf(name).success
}

it('each operation with a token in its body is covered by this test', async () => {
  const test = await anApp()
  const user = await signInWithDevice(test)
  for (const name of operationNames) {
    const { input } = await anExample(test, name, user)
    if (!Object.keys(input).some((member) => /token$/i.test(member) && member !== 'pushToken')) continue
    expect([...places.filter(({ carrier }) => carrier === 'body').map((place) => place.name), 'auth.logout']).toContain(name)
  }
})

describe.each(places)('$name, with a token in its $carrier,', (place) => {
  it.each(tokenUses)('answers a token of use %s as documented', async (use) => {
    const test = await anApp()
    const user = await signInWithDevice(test)
    const tokens = await tokensOf(test, user)
    const answer = await present(test, place, user, tokens[use])
    expectDocumented(operationOf(place.name), answer)
    expect(answer.status).toBe(expectedOf(place, use))
  })

  it.each(place.opens)('refuses a token of use %s from the second of expiry', async (use) => {
    const test = await anApp()
    const user = await signInWithDevice(test)
    const tokens = await tokensOf(test, user)
    test.clock.set(Number(claimsOf(tokens[use]).exp) * 1000 - 1)
    // Everything else in the request is fresh, as if the user had logged in again.
    const send = await prepare(test, place, await logInAgain(test, user))
    test.clock.advance(1)
    expect((await send(tokens[use])).status).toBe(401)
    test.clock.advance(-1)
    expect((await send(tokens[use])).status).toBe(expectedOf(place, use))
  })

  it.each(place.opens)('refuses a token of use %s signed by another key ring or a retired key', async (use) => {
    const storage = await createTestStorage()
    const test = await anApp({ storage })
    const user = await signInWithDevice(test)
    // The same database with another key ring.
    const other = await anApp({ storage, jwtKeys: aKeyRing(), encryptionKeys: test.encryptionKeys })
    const tokens = await tokensOf(test, user)
    const refused = await present({ ...other, ask: test.ask }, place, user, tokens[use])
    expectDocumented(operationOf(place.name), refused)
    expect(refused.status).toBe(401)
    expect((await present(test, place, user, tokens[use])).status).toBe(expectedOf(place, use))
  })

  it.each(place.opens)('refuses every manipulated token of use %s', async (use) => {
    const test = await anApp()
    const user = await signInWithDevice(test)
    const genuine = (await tokensOf(test, user))[use]
    const { input } = place.carrier === 'header' ? await anExample(test, place.name, user) : { input: {} }
    const made = hostileTokens(test.jwtKeys, genuine)
      // Excludes tokens that a header cannot contain or would change.
      .filter(({ token }) => place.carrier === 'body' || (token === token.trim() && !/[\0\r\n]/.test(token)))
    // Each place gets a different eighth of the tokens, because the same code checks the tokens of all places.
    for (const { name, token } of made.filter((_, at) => at % 8 === places.indexOf(place) % 8)) {
      const answer =
        place.carrier === 'body'
          ? await test.call(place.name, { refreshToken: token })
          : await test.call(place.name, input, { token })
      expectDocumented(operationOf(place.name), answer, name)
      // A body refuses a text that cannot be a token with 400.
      const isInvalid = place.carrier === 'body' && (token === '' || token.length > 8192 || token.includes('\0'))
      expect(answer.status, name).toBe(isInvalid ? 400 : 401)
    }
    expect(made.length).toBeGreaterThan(120)
    // The genuine token still works, so no attack ended the session or spent the refresh token.
    expect((await present(test, place, user, genuine)).status).toBe(expectedOf(place, use))
  })
})

describe('the refresh token in the body of a logout', () => {
  const endsWith = async (test: TestApp, user: DeviceUser, refreshToken: string): Promise<{ status: number; text: string }> => {
    const { token } = await logInAgain(test, user)
    const { status, text } = await test.call('auth.logout', { refreshToken }, { token })
    return { status, text }
  }
  const isAlive = async (test: TestApp, token: string) => (await test.call('devices.list', {}, { token })).status === 200

  it.each(tokenUses)('of use %s ends its session only when it is a refresh token of the same user', async (use) => {
    const test = await anApp()
    const [user, other] = [await signInWithDevice(test), await signInWithDevice(test)]
    const accessOf: Readonly<Partial<Record<TokenUse, string>>> = { refresh: user.token, biometric_refresh: user.deviceToken }
    const mine = (await tokensOf(test, user))[use]
    const theirs = (await tokensOf(test, other))[use]
    const answers = [await endsWith(test, user, theirs), await endsWith(test, user, mine)]
    expect(answers).toEqual(Array(2).fill({ status: 200, text: '{"data":{"success":true,"message":"Logged out"}}' }))
    for (const token of [other.token, other.deviceToken]) expect(await isAlive(test, token)).toBe(true)
    for (const token of [user.token, user.deviceToken]) expect(await isAlive(test, token)).toBe(token !== accessOf[use])
  })

  it('ends nothing if it was manipulated, with the same answer', async () => {
    const test = await anApp()
    const user = await signInWithDevice(test)
    const made = hostileTokens(test.jwtKeys, user.tokens.refreshToken).filter(
      ({ token }) => token !== '' && token.length <= 8192 && !token.includes('\0'),
    )
    const { text } = await endsWith(test, user, 'x')
    for (const { name, token } of made) expect(await endsWith(test, user, token), name).toEqual({ status: 200, text })
    expect(await isAlive(test, user.token)).toBe(true)
    expect((await test.call('auth.refresh', { refreshToken: user.tokens.refreshToken })).status).toBe(200)
  })
})
