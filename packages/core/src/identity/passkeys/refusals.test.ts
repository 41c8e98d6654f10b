import { createTestCountersign } from '@countersign/storage-sqlite/testing'
import { beforeEach, describe, expect, it } from 'vitest'
import { registerTestPasskey, signInByPasskey, signInNewPasskeyUser } from '../../testing/passkeys.ts'
import { signInNewUser } from '../../testing/sign-in.ts'
import { createVirtualPasskey } from '../../testing/virtual-passkey.ts'
import type { VirtualPasskeyOptions } from '../../testing/virtual-passkey-types.ts'

const stranger = createVirtualPasskey()

const given = async (options: VirtualPasskeyOptions = {}) => {
  const test = await createTestCountersign()
  const user = await signInNewPasskeyUser(test, { virtual: createVirtualPasskey(options) })
  /** The log line of a refusal of an answer that the passkey did sign. */
  const line = (reason: string, of = user) => [
    { level: 'warn', event: 'passkey_refused', fields: { reason, userId: of.user.id, passkeyId: of.virtual.id.slice(0, 8) } },
  ]
  const refused = async (login: Parameters<typeof signInByPasskey>[2]) => {
    await expect(signInByPasskey(test, user.virtual, login)).rejects.toThrow('Invalid passkey')
    return test.logger.entries
  }
  return { ...test, ...user, refused, line }
}

let test: Awaited<ReturnType<typeof given>>
beforeEach(async () => {
  test = await given()
})

describe('the log has the reason, the user and the beginning of the credential id for a passkey login', () => {
  it.each([
    ['type', { clientData: { type: 'webauthn.create' } }],
    ['challenge', { clientData: { challenge: 'A'.repeat(86) } }],
    ['origin', { clientData: { origin: 'https://evil.test' } }],
    ['cross_origin', { clientData: { crossOrigin: true } }],
    ['cross_origin', { clientData: { topOrigin: 'https://evil.test' } }],
    ['authenticator_data', { flags: { attestedCredential: true } }],
    ['relying_party', { rpId: 'evil.test' }],
    ['user_presence', { flags: { userPresent: false } }],
    ['backup_flags', { flags: { backupEligible: false, backedUp: true } }],
    ['backup_eligibility', { flags: { backupEligible: false, backedUp: false } }],
    ['user_handle', { userHandle: null }],
    ['user_handle', { userHandle: stranger.id }],
  ])('that is refused for its %s', async (reason, changes) => {
    expect(await test.refused({ changes })).toStrictEqual(test.line(reason))
  })

  it('that is refused for its counter, also of a synced passkey, because it may be a clone', async () => {
    const test = await given({ counts: true, backupEligible: true })
    await signInByPasskey(test, test.virtual, { changes: { signCount: 5 } })
    expect(await test.refused({ changes: { signCount: 5 } })).toStrictEqual(test.line('counter'))
  })

  it.each([
    [5, 0, 'counter'],
    [5, 4, 'counter'],
    [5, 5, 'counter'],
    [5, 6, 'user'],
    [1, 0, 'counter'],
    [1, 1, 'counter'],
    [1, 2, 'user'],
    [0, 0, 'user'],
    [0, 1, 'user'],
  ])(
    'of a disabled user whose counter goes from %i to %i: %s, because a clone is more important',
    async (before, after, reason) => {
      const test = await given()
      await signInByPasskey(test, test.virtual, { changes: { signCount: before } })
      await test.countersign.users.disable({ email: test.user.email })
      expect(await test.refused({ changes: { signCount: after } })).toStrictEqual(test.line(reason))
    },
  )

  it('that is refused because another login with the same counter came first', async () => {
    const test = await given({ counts: true })
    const answers = await Promise.allSettled([1, 2].map(() => signInByPasskey(test, test.virtual, { changes: { signCount: 7 } })))
    expect(answers.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    expect(test.logger.entries).toStrictEqual(test.line('counter'))
  })

  it('that is refused because the user was not verified', async () => {
    const test = await given({ verifiesUser: false })
    expect(await test.refused({ begin: { userVerification: 'required' } })).toStrictEqual(test.line('user_verification'))
  })

  it('that is refused because the email of another user was given', async () => {
    const other = await signInNewPasskeyUser(test)
    expect(await test.refused({ begin: { email: other.user.email } })).toStrictEqual(test.line('not_offered'))
  })

  it.each(['locked', 'disabled'] as const)(
    'that is refused because the user is %s, which only the holder of the passkey learns',
    async (reason) => {
      const since = new Date(test.clock.now()).toISOString()
      await test.countersign.users[reason === 'locked' ? 'lock' : 'disable']({ email: test.user.email })
      const told = { message: 'Invalid passkey', code: 'account_locked', details: { reason, since } }
      await expect(signInByPasskey(test, test.virtual)).rejects.toMatchObject(told)
      expect(test.logger.entries.slice(-1)).toStrictEqual(test.line('user'))
      const forged = { signingKey: stranger.keyPair.privateKey }
      await expect(signInByPasskey(test, test.virtual, { changes: forged })).rejects.toMatchObject({ code: 'invalid_passkey' })
    },
  )

  it('that is refused for an id that is not the raw id', async () => {
    const { challengeId, publicKey } = await test.countersign.passkeys.beginLogin({})
    const credential = { ...test.virtual.get(publicKey), rawId: stranger.id }
    await expect(test.countersign.passkeys.finishLogin({ challengeId, credential })).rejects.toThrow('Invalid passkey')
    expect(test.logger.entries).toStrictEqual(test.line('credential_id'))
  })
})

describe('the log names no user and no credential for a passkey login', () => {
  const anonymous = (reason: string) => [{ level: 'info', event: 'passkey_refused', fields: { reason } }]

  it('with a wrong signature, because anyone can send one', async () => {
    const wrong = { signingKey: stranger.keyPair.privateKey, clientData: { origin: 'https://evil.test' } }
    expect(await test.refused({ changes: wrong })).toStrictEqual(anonymous('signature'))
  })

  it('with an unknown passkey', async () => {
    await expect(
      signInByPasskey(test, createVirtualPasskey(), { changes: { userHandle: test.virtual.userHandle ?? null } }),
    ).rejects.toThrow()
    expect(test.logger.entries).toStrictEqual(anonymous('signature'))
  })

  it('with a challenge that was used', async () => {
    const { challengeId, publicKey } = await test.countersign.passkeys.beginLogin({})
    await test.countersign.passkeys.finishLogin({ challengeId, credential: test.virtual.get(publicKey) })
    const again = test.countersign.passkeys.finishLogin({ challengeId, credential: test.virtual.get(publicKey) })
    await expect(again).rejects.toThrow('Invalid passkey')
    expect(test.logger.entries).toStrictEqual(anonymous('challenge'))
  })
})

describe('the log has the reason for a refused registration of a passkey', () => {
  it.each([
    ['type', { clientData: { type: 'webauthn.get' } }],
    ['challenge', { clientData: { challenge: 'A'.repeat(86) } }],
    ['origin', { clientData: { origin: 'https://evil.test' } }],
    ['relying_party', { rpId: 'evil.test' }],
    ['user_presence', { flags: { userPresent: false } }],
    ['backup_flags', { flags: { backupEligible: false, backedUp: true } }],
    ['authenticator_data', { flags: { attestedCredential: false } }],
    ['credential_id', { attestedId: Buffer.alloc(32) }],
    ['key', { coseKey: { 3: -8 } }],
    ['attestation', { attestation: 'packed' as const, signingKey: stranger.keyPair.privateKey }],
  ])('that is refused for its %s', async (reason, changes) => {
    const test = await createTestCountersign()
    const { caller } = await signInNewUser(test)
    const virtual = createVirtualPasskey()
    await expect(registerTestPasskey(test, caller, { virtual, changes })).rejects.toThrow('Invalid passkey')
    const fields = { reason, userId: caller.userId, passkeyId: virtual.id.slice(0, 8) }
    expect(test.logger.entries).toStrictEqual([{ level: 'warn', event: 'passkey_refused', fields }])
  })

  it('that hides its credential in extension outputs', async () => {
    const test = await createTestCountersign()
    const { caller } = await signInNewUser(test)
    // As CBOR, the AAGUID begins a list with one pair: 0, and the other 122 bytes of the attested credential.
    const aaguid = Buffer.concat([Buffer.from('818200587a', 'hex'), Buffer.alloc(11)])
    const changes = { flags: { attestedCredential: false, extensions: true } }
    const registration = registerTestPasskey(test, caller, { virtual: createVirtualPasskey({ aaguid }), changes })
    await expect(registration).rejects.toThrow('Invalid passkey')
    expect(test.logger.entries).toMatchObject([{ event: 'passkey_refused', fields: { reason: 'authenticator_data' } }])
  })
})

describe('an empty user handle', () => {
  it('counts as absent: the login succeeds with an email, and not without one', async () => {
    const begin = { email: test.user.email }
    await signInByPasskey(test, test.virtual, { begin, changes: { userHandle: '' } })
    expect(test.logger.entries).toStrictEqual([])
    expect(await test.refused({ changes: { userHandle: '' } })).toStrictEqual(test.line('user_handle'))
  })
})
