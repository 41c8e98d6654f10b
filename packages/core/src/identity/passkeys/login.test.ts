import { createTestCountersign } from '@countersign/storage-sqlite/testing'
import { decodeJwt } from 'jose'
import { describe, expect, it } from 'vitest'
import { days } from '../../shared/clock.ts'
import { registerTestPasskey, signInByPasskey, signInNewPasskeyUser } from '../../testing/passkeys.ts'
import { signInNewUser } from '../../testing/sign-in.ts'
import { createVirtualPasskey } from '../../testing/virtual-passkey.ts'
import type { VirtualPasskeyOptions } from '../../testing/virtual-passkey-types.ts'

const given = async (options: VirtualPasskeyOptions = {}) => {
  const test = await createTestCountersign()
  const user = await signInNewPasskeyUser(test, { virtual: createVirtualPasskey(options) })
  const kept = () => test.storage.passkeys.withId(user.passkey.id).then(([passkey]) => passkey)
  const { trusted: _, ...passkey } = user.passkey
  return { ...test, ...user, passkey, kept }
}

describe('beginning a passkey login', () => {
  it('lets the browser choose the passkey if no email is given', async () => {
    const { countersign } = await given()
    expect(await countersign.passkeys.beginLogin({})).toStrictEqual({
      challengeId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      publicKey: {
        challenge: expect.stringMatching(/^[A-Za-z0-9_-]{86}$/),
        timeout: 120_000,
        rpId: 'localhost',
        allowCredentials: [],
        userVerification: 'preferred',
      },
    })
  })

  it('lists the passkeys of the user, in any spelling of the email', async () => {
    const { countersign, user, virtual } = await given()
    const { publicKey } = await countersign.passkeys.beginLogin({ email: user.email.toUpperCase(), userVerification: 'required' })
    expect(publicKey).toMatchObject({
      allowCredentials: [{ type: 'public-key', id: virtual.id, transports: ['hybrid', 'internal'] }],
      userVerification: 'required',
    })
  })
})

describe('a passkey login', () => {
  it.each(['ES256', 'RS256'] as const)('opens a standard session, by %s', async (algorithm) => {
    const test = await given({ algorithm })
    const { caller, tokens } = await signInByPasskey(test, test.virtual)
    expect(caller).toMatchObject({ userId: test.user.id, tokenUse: 'access', trustLevel: 'standard', deviceId: null })
    expect(decodeJwt(tokens.accessToken)).toMatchObject({ auth_method: 'webauthn', token_use: 'access' })
    const sessions = await test.countersign.sessions.list({ email: test.user.email })
    expect(sessions).toContainEqual(
      expect.objectContaining({ kind: 'standard', authMethod: 'webauthn', passkeyId: test.passkey.id, deviceId: null }),
    )
    const next = await test.countersign.auth.refresh({ refreshToken: tokens.refreshToken })
    expect(decodeJwt(next.accessToken)).toMatchObject({ auth_method: 'webauthn' })
  })

  it('lasts thirty days with rememberMe', async () => {
    const test = await given()
    const { tokens } = await signInByPasskey(test, test.virtual, { rememberMe: true })
    expect(tokens.refreshTokenExpiresAt - test.clock.now()).toBe(days(30))
  })

  it('records the time, counter and backup state of the use', async () => {
    const test = await given({ counts: true, backedUp: false })
    test.clock.advance(1000)
    await signInByPasskey(test, test.virtual, { changes: { flags: { backedUp: true } } })
    expect(await test.kept()).toStrictEqual({ ...test.passkey, signCount: 2, backedUp: true, lastUsedAt: test.clock.now() })
  })

  it('works with an email even if the authenticator sends no user handle', async () => {
    const test = await given()
    const begin = { email: test.user.email }
    await signInByPasskey(test, test.virtual, { begin, changes: { userHandle: null } })
    await signInByPasskey(test, test.virtual, { begin })
  })

  it('works in a browser whose client data does not mention frames', async () => {
    const test = await given()
    const { caller } = await signInByPasskey(test, test.virtual, { changes: { clientData: { crossOrigin: undefined } } })
    expect(caller.userId).toBe(test.user.id)
  })

  it('of a user without passkeys cannot be completed with a passkey that is registered later', async () => {
    const test = await createTestCountersign()
    const { user, caller } = await signInNewUser(test)
    const begun = await test.countersign.passkeys.beginLogin({ email: user.email })
    const { virtual } = await registerTestPasskey(test, caller)
    const credential = virtual.get(begun.publicKey)
    const finishing = test.countersign.passkeys.finishLogin({ challengeId: begun.challengeId, credential })
    await expect(finishing).rejects.toThrow('Invalid passkey')
  })
})
