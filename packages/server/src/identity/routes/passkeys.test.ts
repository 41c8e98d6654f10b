import { createVirtualPasskey } from '@countersign/core/testing'
import { describe, expect, it } from 'vitest'
import { claimsOf } from '../../testing/claims-of.ts'
import { errorBodyOf } from '../../testing/error-body.ts'
import { createPasskey, passkeyLogin, registerPasskey, signPasskeyLogin } from '../../testing/passkeys.ts'
import { signIn } from '../../testing/sign-in.ts'
import { createTestApp } from '../../testing/test-app.ts'

const day = /^Passkey \d{4}-\d\d-\d\d$/
const timestamp = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

describe('passkeys over HTTP', () => {
  it.each(['ES256', 'RS256'] as const)('work from registration to login with %s', async (algorithm) => {
    const test = await createTestApp()
    const { user, token } = await signIn(test)
    const passkey = await registerPasskey(test, token, createVirtualPasskey({ algorithm }))
    const tokens = await passkeyLogin(test, passkey)
    expect(claimsOf(tokens.accessToken)).toMatchObject({
      id: user.id,
      auth_method: 'webauthn',
      token_use: 'access',
      trust_level: 'standard',
    })
    const verified = await test.ask('internal.verify', { serviceName: 'billing' }, { token: tokens.accessToken })
    expect(verified.claims).toMatchObject({ id: user.id, token_use: 'access', device_id: null, trust_level: 'standard' })
    await test.ask('passkeys.finishLogin', await signPasskeyLogin(test, passkey, { email: user.email }))
    await test.ask('auth.refresh', { refreshToken: tokens.refreshToken })
  })

  it('are returned in the contract form after registration and in lists', async () => {
    const test = await createTestApp()
    const { token } = await signIn(test)
    const passkey = createVirtualPasskey({ transports: ['usb'], backedUp: false })
    const finished = await test.ask('passkeys.finishRegistration', await createPasskey(test, token, passkey), { token })
    const credential = {
      id: passkey.id,
      name: expect.stringMatching(day),
      createdAt: expect.stringMatching(timestamp),
      transports: ['usb'],
      backedUp: false,
    }
    expect(finished).toStrictEqual({ success: true, credential })
    expect(await test.ask('passkeys.list', {}, { token })).toStrictEqual({ credentials: [{ ...credential, lastUsedAt: null }] })
    await passkeyLogin(test, passkey)
    const renamed = await test.ask('passkeys.rename', { credentialId: passkey.id, name: 'Blue key' }, { token })
    const used = { ...credential, name: 'Blue key', lastUsedAt: expect.stringMatching(timestamp) }
    expect(renamed).toStrictEqual({ success: true, credential: used })
    expect(await test.ask('passkeys.remove', { credentialId: passkey.id }, { token })).toStrictEqual({
      success: true,
      message: 'Passkey removed',
    })
    expect(await test.ask('passkeys.list', {}, { token })).toStrictEqual({ credentials: [] })
  })

  it.each([
    [
      'passkeys.beginRegistration',
      { userVerification: 'always' },
      'userVerification: must be one of required, preferred, discouraged',
    ],
    [
      'passkeys.beginRegistration',
      { authenticatorSelection: { residentKey: true } },
      'authenticatorSelection.residentKey: must be one of discouraged, preferred, required',
    ],
    ['passkeys.beginRegistration', { authenticatorSelection: [] }, 'authenticatorSelection: must be an object'],
    ['passkeys.beginLogin', { email: 7 }, 'email: must be an email address'],
    [
      'passkeys.rename',
      { credentialId: 'x', name: '<b>' },
      'name: must be 1 to 255 letters, digits, spaces, hyphens or apostrophes, not U+003C',
    ],
  ] as const)('are refused by %s when the input is %j', async (name, input, message) => {
    const test = await createTestApp()
    const { token } = await signIn(test)
    expect((await test.call(name, input, { token })).body).toEqual(errorBodyOf(400, message))
  })

  it.each([
    ['signature', 'credential.response.signature: must be base64 or base64url'],
    ['userHandle', 'credential.response.userHandle: must be base64 or base64url'],
  ])('are refused when %s mixes two alphabets', async (member, message) => {
    const test = await createTestApp()
    const { token } = await signIn(test)
    const { challengeId, credential } = await signPasskeyLogin(test, await registerPasskey(test, token))
    const broken = { ...credential, response: { ...credential.response, [member]: '-_+/' } }
    expect((await test.call('passkeys.finishLogin', { challengeId, credential: broken })).body).toEqual(errorBodyOf(400, message))
  })

  it('require a user token, except for the login', async () => {
    const test = await createTestApp()
    for (const name of ['beginRegistration', 'finishRegistration', 'list', 'rename', 'remove'] as const) {
      expect((await test.call(`passkeys.${name}`, { credentialId: 'x' })).status).toBe(401)
    }
    expect((await test.call('passkeys.beginLogin', {})).status).toBe(200)
  })

  it('have a separate rate limit for beginning a login, which attempts to log in do not use up', async () => {
    const test = await createTestApp()
    for (let tries = 0; tries < 60; tries += 1) await test.ask('passkeys.beginLogin', {})
    expect((await test.call('passkeys.beginLogin', {})).status).toBe(429)
    expect((await test.call('mobile.beginLogin', { deviceFingerprint: 'x' })).status).toBe(429)
    expect((await test.call('auth.login', { email: 'x', password: 'y' })).status).toBe(401)
  })

  it('use the relying party and the origins of the host', async () => {
    const relyingParty = { id: 'example.test', name: 'Example', origins: ['https://a.example.test', 'https://b.example.test'] }
    const test = await createTestApp({ options: { relyingParty } })
    const { token } = await signIn(test)
    const passkey = await registerPasskey(test, token, createVirtualPasskey({ origin: 'https://b.example.test' }))
    await passkeyLogin(test, passkey)
    const elsewhere = createVirtualPasskey({ origin: 'https://example.test' })
    const answer = await test.call('passkeys.finishRegistration', await createPasskey(test, token, elsewhere), { token })
    expect(answer.body).toEqual({ message: 'Invalid passkey', statusCode: 401, code: 'invalid_passkey' })
  })
})
