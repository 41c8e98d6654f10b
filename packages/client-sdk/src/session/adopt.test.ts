import { createTestUser } from '@countersign/core/testing'
import { describe, expect, it } from 'vitest'
import { hours, pass, withFakeDate } from '../testing/clocks.ts'
import { createTestClient, logInNewUser } from '../testing/test-client.ts'
import { createTestSigner } from '../testing/test-signer.ts'
import type { AdoptedTokens } from './adopted-tokens.ts'
import { memoryTokenStore, type TokenStore } from './token-store.ts'

withFakeDate()

const opened = async ({ test }: Awaited<ReturnType<typeof createTestClient>>) => {
  const user = await createTestUser(test)
  const signIn = { user: { id: user.id }, signedInAt: test.clock.now(), method: 'oidc' }
  return { user, tokens: await test.countersign.sessions.open(signIn) }
}

describe('a client that adopts tokens', () => {
  it('is signed in as the user of the host, and renews the session itself', async () => {
    const given = await createTestClient()
    const { user, tokens } = await opened(given)
    await given.client.adopt(tokens)
    const ask = () => given.client.internal.introspect({ serviceName: 'billing' })
    expect(await ask()).toMatchObject({ claims: { id: user.id } })
    pass(given, hours(8))
    given.sent.length = 0
    expect(await ask()).toMatchObject({ claims: { id: user.id } })
    expect(given.sent).toEqual(['POST /api/v1/auth/refresh', 'GET /internal/verify'])
  })

  it("accepts the tokens in the form of the service's response, also those of a device session", async () => {
    const given = await createTestClient()
    await logInNewUser(given)
    const signer = createTestSigner()
    await given.client.devices.register({ signer, deviceName: 'A phone', deviceType: 'mobile' })
    const { tokens } = await given.another().mobile.login({ signer })
    const store = memoryTokenStore()
    const other = given.another({ store })
    await other.adopt({ ...tokens })
    expect(await store.get()).toMatchObject({ ...tokens, kind: 'biometric' })
    pass(given, hours(1))
    expect(await other.confirmations.pending()).toEqual({ confirmations: [] })
  })

  it('replaces the session that it had, and stores no other members than the tokens', async () => {
    const store = memoryTokenStore()
    const given = await createTestClient({ store })
    await logInNewUser(given)
    const { user, tokens } = await opened(given)
    await given.client.adopt(tokens)
    expect(await given.client.internal.introspect({ serviceName: 'billing' })).toMatchObject({ claims: { id: user.id } })
    expect(Object.keys((await store.get()) ?? {})).not.toContain('sessionId')
  })

  it.each([
    ['nothing', undefined],
    ['a text', 'a.b.c'],
    ['no tokens', {}],
    ['only an access token', { refreshToken: undefined }],
    ['a token that is none', { accessToken: 'abc' }],
    ['a time that is none', { accessTokenExpiresAt: 'tomorrow' }],
    ['no time', { refreshTokenExpiresAt: undefined }],
  ])('refuses %s, and stays signed out', async (_, change) => {
    const given = await createTestClient()
    const { tokens } = await opened(given)
    const wrong = typeof change === 'object' && Object.keys(change).length > 0 ? { ...tokens, ...change } : change
    await expect(given.client.adopt(wrong as AdoptedTokens)).rejects.toMatchObject({ code: 'VALIDATION_ERROR' })
    expect(await given.client.accessToken()).toBeUndefined()
  })

  it('ends the session if its store fails', async () => {
    const failing: TokenStore = { ...memoryTokenStore(), set: () => Promise.reject(new Error('the store is full')) }
    const given = await createTestClient({ store: failing })
    const { tokens } = await opened(given)
    await expect(given.client.adopt(tokens)).rejects.toThrow('the store is full')
    expect(await given.test.storage.sessions.status(tokens.sessionId)).toBeUndefined()
  })
})
