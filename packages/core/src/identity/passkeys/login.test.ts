import { createTestCountersign } from '@countersign/storage-sqlite/testing'
import { decodeJwt } from 'jose'
import { describe, expect, it } from 'vitest'
import { days } from '../../shared/clock.ts'
import { Invalid } from '../../shared/errors.ts'
import { registerTestPasskey, signInByPasskey, signInNewPasskeyUser } from '../../testing/passkeys.ts'
import { signInNewUser } from '../../testing/sign-in.ts'
import { createVirtualPasskey } from '../../testing/virtual-passkey.ts'
import type { VirtualPasskeyOptions } from '../../testing/virtual-passkey-types.ts'
import { InvalidPasskey } from './errors.ts'

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

  it.each([
    ['signature', 'a'],
    ['authenticatorData', 'ab cd'],
    ['clientDataJSON', '-_+/'],
    ['userHandle', 'AB'],
  ])('refuses invalid base64 as %s, and can still be completed', async (member, text) => {
    const { countersign, virtual } = await given()
    const { challengeId, publicKey } = await countersign.passkeys.beginLogin({})
    const credential = virtual.get(publicKey)
    const broken = { ...credential, response: { ...credential.response, [member]: text } }
    await expect(countersign.passkeys.finishLogin({ challengeId, credential: broken })).rejects.toThrow(Invalid)
    await countersign.passkeys.finishLogin({ challengeId, credential })
  })

  it.each([
    ['authenticatorData', { authenticatorDataBytes: (bytes: Uint8Array) => bytes.subarray(0, 36) }],
    ['authenticatorData', { authenticatorDataBytes: (bytes: Uint8Array) => Buffer.concat([bytes, Buffer.of(0xff)]) }],
    ['clientDataJSON', { clientDataBytes: () => Buffer.from('[]') }],
    ['clientDataJSON', { clientData: { challenge: 7 } }],
  ])('refuses a malformed structure, names %s, and can still be completed', async (member, changes) => {
    const { countersign, virtual } = await given()
    const { challengeId, publicKey } = await countersign.passkeys.beginLogin({})
    const finish = (credential: ReturnType<typeof virtual.get>) => countersign.passkeys.finishLogin({ challengeId, credential })
    const refusal = await finish(virtual.get(publicKey, changes)).catch((error: unknown) => error)
    expect(refusal).toBeInstanceOf(Invalid)
    expect((refusal as Invalid).message).toMatch(new RegExp(`^credential\\.response\\.${member}: must be `))
    await finish(virtual.get(publicKey))
  })

  it('allows one attempt, and expires with its challenge', async () => {
    const { countersign, virtual, clock } = await given()
    const first = await countersign.passkeys.beginLogin({})
    const finish = ({ challengeId, publicKey }: typeof first, changes = {}) =>
      countersign.passkeys.finishLogin({ challengeId, credential: virtual.get(publicKey, changes) })
    await expect(finish(first, { flags: { userPresent: false } })).rejects.toThrow('Invalid passkey')
    await expect(finish(first)).rejects.toThrow('Invalid passkey')
    const second = await countersign.passkeys.beginLogin({})
    clock.advance(second.publicKey.timeout)
    await expect(finish(second)).rejects.toThrow('Invalid passkey')
  })

  describe('is refused, and records nothing,', () => {
    const refused = async (test: Awaited<ReturnType<typeof given>>, options: Parameters<typeof signInByPasskey>[2]) => {
      const before = await test.kept()
      await expect(signInByPasskey(test, test.virtual, options)).rejects.toThrow('Invalid passkey')
      expect(await test.kept()).toStrictEqual(before)
      expect(await test.countersign.sessions.list({ email: test.user.email })).toHaveLength(1)
    }

    it.each([
      ['without a user named and without an email', { userHandle: null }],
      ['for another user than the authenticator names', { userHandle: createVirtualPasskey().id }],
      ['by another key', { signingKey: createVirtualPasskey().keyPair.privateKey }],
      ['in a frame of another page', { clientData: { crossOrigin: true } }],
      ['on a page that says of another above it', { clientData: { topOrigin: 'http://localhost:4000' } }],
      ['if it became one that may be backed up, or ceased to be', { flags: { backupEligible: false, backedUp: false } }],
    ])('%s', async (_, changes) => {
      await refused(await given(), { changes })
    })

    it.each([0, 1, 4, 5])('with a counter of %i after 5', async (signCount) => {
      const test = await given({ counts: true })
      await signInByPasskey(test, test.virtual, { changes: { signCount: 5 } })
      const before = await test.kept()
      await expect(signInByPasskey(test, test.virtual, { changes: { signCount } })).rejects.toThrow('Invalid passkey')
      expect(await test.kept()).toStrictEqual(before)
      expect(await test.countersign.sessions.list({ email: test.user.email })).toHaveLength(2)
    })

    it('without the required user verification', async () => {
      const test = await given({ verifiesUser: false })
      await refused(test, { begin: { userVerification: 'required' } })
      await refused(test, { begin: { userVerification: 'required', email: test.user.email } })
    })

    it('under the email of another user', async () => {
      const test = await given()
      const other = await signInNewPasskeyUser(test)
      await refused(test, { begin: { email: other.user.email } })
    })

    it('under an unknown email', async () => {
      await refused(await given(), { begin: { email: 'nobody@example.test' } })
    })

    it('if the user is disabled', async () => {
      const test = await given()
      const { challengeId, publicKey } = await test.countersign.passkeys.beginLogin({ email: test.user.email })
      await test.countersign.users.disable({ email: test.user.email })
      const credential = test.virtual.get(publicKey)
      await expect(test.countersign.passkeys.finishLogin({ challengeId, credential })).rejects.toThrow('Invalid passkey')
      await expect(signInByPasskey(test, test.virtual)).rejects.toThrow('Invalid passkey')
      expect(await test.kept()).toStrictEqual(test.passkey)
    })

    it('if the passkey was registered after the login began', async () => {
      const test = await given()
      const begun = await test.countersign.passkeys.beginLogin({ email: test.user.email })
      test.clock.advance(1)
      const { virtual } = await registerTestPasskey(test, test.caller)
      const credential = virtual.get(begun.publicKey)
      const finishing = test.countersign.passkeys.finishLogin({ challengeId: begun.challengeId, credential })
      await expect(finishing).rejects.toThrow('Invalid passkey')
    })

    it('with a registration challenge', async () => {
      const test = await given()
      const { challengeId, publicKey } = await test.countersign.passkeys.beginRegistration({ caller: test.caller })
      const options = { challenge: publicKey.challenge, rpId: 'localhost', timeout: 1, allowCredentials: [] }
      const credential = test.virtual.get({ ...options, userVerification: 'preferred' })
      await expect(test.countersign.passkeys.finishLogin({ challengeId, credential })).rejects.toThrow('Invalid passkey')
    })
  })

  it('is refused where any bit of the signed data is changed', async () => {
    const { countersign, virtual } = await given({ transports: ['internal'] })
    const attempt = async (member: 'signature' | 'authenticatorData' | 'clientDataJSON', bit: number): Promise<boolean> => {
      const { challengeId, publicKey } = await countersign.passkeys.beginLogin({})
      const credential = virtual.get(publicKey)
      const bytes = Buffer.from(credential.response[member], 'base64url')
      const at = bit >> 3
      if (at >= bytes.length) return false
      bytes[at] = (bytes[at] ?? 0) ^ (1 << (bit & 7))
      const changed = { ...credential, response: { ...credential.response, [member]: bytes.toString('base64url') } }
      const refusal = await countersign.passkeys
        .finishLogin({ challengeId, credential: changed })
        .catch((error: unknown) => error)
      // A changed bit can break the format of client data or authenticator data, which has its own error.
      if (member === 'signature' || !(refusal instanceof Invalid)) expect(refusal).toStrictEqual(new InvalidPasskey())
      return true
    }
    for (const member of ['signature', 'authenticatorData', 'clientDataJSON'] as const) {
      let bit = 0
      while (await attempt(member, bit)) bit += 1
      // The shortest signed data: 37 bytes of authenticator data.
      expect(bit).toBeGreaterThanOrEqual(37 * 8)
    }
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
