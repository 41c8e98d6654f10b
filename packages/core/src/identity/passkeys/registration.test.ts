import { createTestCountersign, type TestCountersignOverrides } from '@countersign/storage-sqlite/testing'
import { describe, expect, it } from 'vitest'
import { Invalid } from '../../shared/errors.ts'
import { registerTestPasskey, signInByPasskey } from '../../testing/passkeys.ts'
import { signInNewUser } from '../../testing/sign-in.ts'
import { createVirtualPasskey } from '../../testing/virtual-passkey.ts'

const given = async (overrides: TestCountersignOverrides = {}) => {
  const test = await createTestCountersign(overrides)
  const { user, caller } = await signInNewUser(test, { name: 'Ada Lovelace' })
  const begin = (input: Parameters<typeof test.countersign.passkeys.beginRegistration>[0] | object = {}) =>
    test.countersign.passkeys.beginRegistration({ ...input, caller })
  return { ...test, user, caller, begin }
}

describe('beginning a passkey registration', () => {
  it('returns complete options for the browser', async () => {
    const relyingParty = { id: 'example.test', name: 'Example', origins: ['https://app.example.test'] }
    const { user, begin } = await given({ options: { relyingParty } })
    const { challengeId, publicKey } = await begin()
    expect(challengeId).toMatch(/^[0-9a-f-]{36}$/)
    expect(publicKey).toStrictEqual({
      rp: { id: 'example.test', name: 'Example' },
      user: { id: expect.stringMatching(/^[A-Za-z0-9_-]{86}$/), name: user.email, displayName: 'Ada Lovelace' },
      challenge: expect.stringMatching(/^[A-Za-z0-9_-]{86}$/),
      pubKeyCredParams: [
        { type: 'public-key', alg: -7 },
        { type: 'public-key', alg: -257 },
      ],
      timeout: 120_000,
      excludeCredentials: [],
      authenticatorSelection: { residentKey: 'preferred', requireResidentKey: false, userVerification: 'preferred' },
      attestation: 'none',
      extensions: { credProps: true },
    })
  })

  it('requests the given options, and the stricter of two', async () => {
    const { begin } = await given()
    const asked = { userVerification: 'discouraged', authenticatorSelection: { userVerification: 'required' } }
    expect((await begin(asked)).publicKey.authenticatorSelection).toMatchObject({ userVerification: 'required' })
    const selection = { residentKey: 'required', authenticatorAttachment: 'cross-platform' }
    expect((await begin({ authenticatorSelection: selection })).publicKey.authenticatorSelection).toStrictEqual({
      ...selection,
      requireResidentKey: true,
      userVerification: 'preferred',
    })
    const older = { requireResidentKey: true, userVerification: 'discouraged' }
    expect((await begin({ authenticatorSelection: older })).publicKey.authenticatorSelection).toStrictEqual({
      residentKey: 'required',
      requireResidentKey: true,
      userVerification: 'discouraged',
    })
  })

  it('never requests less than the minimum of the host', async () => {
    const { begin } = await given({ options: { leastUserVerification: 'required' } })
    const { publicKey } = await begin({ userVerification: 'discouraged' })
    expect(publicKey.authenticatorSelection.userVerification).toBe('required')
  })

  it('gives each user one unique handle of 64 bytes', async () => {
    const test = await given()
    const [one, again] = [await test.begin(), await test.begin()]
    expect(again.publicKey.user.id).toBe(one.publicKey.user.id)
    expect(again.publicKey.challenge).not.toBe(one.publicKey.challenge)
    expect(Buffer.from(one.publicKey.user.id, 'base64url')).toHaveLength(64)
    const { caller } = await signInNewUser(test)
    const other = await test.countersign.passkeys.beginRegistration({ caller })
    expect(other.publicKey.user.id).not.toBe(one.publicKey.user.id)
  })

  it('lists the existing passkeys, so that an authenticator creates no second passkey', async () => {
    const test = await given()
    const { virtual } = await registerTestPasskey(test, test.caller)
    const shy = createVirtualPasskey({ transports: [] })
    test.clock.advance(1)
    await registerTestPasskey(test, test.caller, { virtual: shy })
    expect((await test.begin()).publicKey.excludeCredentials).toStrictEqual([
      { type: 'public-key', id: virtual.id, transports: ['hybrid', 'internal'] },
      { type: 'public-key', id: shy.id },
    ])
  })

  it('is refused if the user has the maximum number of passkeys', async () => {
    const test = await given({ options: { passkeysPerUser: 1 } })
    await registerTestPasskey(test, test.caller)
    await expect(test.begin()).rejects.toThrow('At most 1 passkeys can be registered for a user')
  })
})

describe('a passkey registration', () => {
  it('stores the properties of the passkey', async () => {
    const test = await given()
    const virtual = createVirtualPasskey({
      transports: ['usb', 'nfc', 'usb'],
      counts: true,
      backupEligible: false,
      discoverable: false,
    })
    const { passkey } = await registerTestPasskey(test, test.caller, { virtual })
    expect(passkey).toStrictEqual({
      id: virtual.id,
      userId: test.user.id,
      userHandle: virtual.userHandle,
      spki: expect.stringMatching(/^-----BEGIN PUBLIC KEY-----\n/),
      publicKey: expect.stringMatching(/^[A-Za-z0-9_-]+$/),
      algorithm: -7,
      signCount: 1,
      transports: ['usb', 'nfc'],
      backupEligible: false,
      backedUp: false,
      aaguid: '00000000-0000-0000-0000-000000000000',
      discoverable: false,
      name: `Passkey ${new Date(test.clock.now()).toISOString().slice(0, 10)}`,
      createdAt: test.clock.now(),
      lastUsedAt: null,
      trustedAt: test.clock.now(),
      trusted: true,
    })
    expect(await test.countersign.passkeys.list({ caller: test.caller })).toStrictEqual([passkey])
  })

  it('accepts base64 too, and extra members that browsers add', async () => {
    const { countersign, caller, begin } = await given()
    const { challengeId, publicKey } = await begin()
    const made = createVirtualPasskey().create(publicKey)
    const base64 = (text: string) => Buffer.from(text, 'base64url').toString('base64')
    const credential = {
      ...made,
      id: base64(made.id),
      authenticatorAttachment: 'platform',
      response: {
        ...made.response,
        clientDataJSON: base64(made.response.clientDataJSON),
        attestationObject: base64(made.response.attestationObject),
        publicKeyAlgorithm: -7,
        authenticatorData: 'anything',
      },
    }
    expect(await countersign.passkeys.finishRegistration({ caller, challengeId, credential })).toMatchObject({ id: made.id })
  })

  it.each(['id', 'rawId', 'clientDataJSON', 'attestationObject'] as const)(
    'refuses invalid base64 as %s, and can still be completed',
    async (member) => {
      const { countersign, caller, begin } = await given()
      const { challengeId, publicKey } = await begin()
      const credential = createVirtualPasskey().create(publicKey)
      for (const text of ['a', 'AB', 'ab cd', '-_+/', 'AA=A', 'AAA\n']) {
        const broken =
          member === 'id' || member === 'rawId'
            ? { ...credential, [member]: text }
            : { ...credential, response: { ...credential.response, [member]: text } }
        await expect(countersign.passkeys.finishRegistration({ caller, challengeId, credential: broken })).rejects.toThrow(
          Invalid,
        )
      }
      await countersign.passkeys.finishRegistration({ caller, challengeId, credential })
    },
  )

  it.each([
    ['none', {}],
    ['its own', { attestation: 'packed' as const }],
    [
      'by certificates that nobody asked for, and reads none of them',
      { attestation: 'packed' as const, statement: { x5c: [new Uint8Array(8)], sig: new Uint8Array(8) } },
    ],
  ])('accepts the attestation %s', async (_, changes) => {
    const test = await given()
    expect((await registerTestPasskey(test, test.caller, { changes })).passkey.userId).toBe(test.user.id)
  })

  it.each([
    ['of another format', { format: 'apple' }],
    ['none, with a statement', { statement: { sig: new Uint8Array(64) } }],
    ['of another algorithm than the key’s', { attestation: 'packed' as const, statement: { alg: -257 } }],
    ['by another key', { attestation: 'packed' as const, signingKey: createVirtualPasskey().keyPair.privateKey }],
    ['of an empty list of certificates', { attestation: 'packed' as const, statement: { x5c: [], sig: new Uint8Array(8) } }],
    ['by certificates under an unknown format', { format: 'acme', statement: { x5c: [new Uint8Array(8)] } }],
    ['that is not there', { attestation: 'packed' as const, statement: { sig: undefined } }],
    ['of its own with a member too many', { attestation: 'packed' as const, statement: { ver: '2.0' } }],
    ['of its own under another format', { attestation: 'packed' as const, format: 'apple' }],
  ])('refuses an attestation %s', async (_, changes) => {
    const test = await given()
    await expect(registerTestPasskey(test, test.caller, { changes })).rejects.toThrow('Invalid passkey')
    expect(await test.countersign.passkeys.list({ caller: test.caller })).toStrictEqual([])
  })

  it('allows one attempt', async () => {
    const { countersign, caller, begin } = await given()
    const { challengeId, publicKey } = await begin()
    const finish = (changes = {}) =>
      countersign.passkeys.finishRegistration({
        caller,
        challengeId,
        credential: createVirtualPasskey().create(publicKey, changes),
      })
    await expect(finish({ clientData: { origin: 'https://evil.test' } })).rejects.toThrow('Invalid passkey')
    await expect(finish()).rejects.toThrow('Passkey registration expired or already used')
  })

  it('is not found if it never began, or if another user began it', async () => {
    const { countersign, begin, ...test } = await given()
    const { caller: stranger } = await signInNewUser({ countersign })
    const { challengeId, publicKey } = await begin()
    const credential = createVirtualPasskey().create(publicKey)
    const finish = (as: typeof stranger, id: string) =>
      countersign.passkeys.finishRegistration({ caller: as, challengeId: id, credential })
    await expect(finish(stranger, challengeId)).rejects.toThrow('Passkey registration not found')
    await expect(finish(test.caller, '00000000-0000-4000-8000-000000000000')).rejects.toThrow('Passkey registration not found')
    const login = await countersign.passkeys.beginLogin({})
    await expect(finish(test.caller, login.challengeId)).rejects.toThrow('Passkey registration not found')
    await finish(test.caller, challengeId)
    await expect(finish(test.caller, challengeId)).rejects.toThrow('Passkey registration expired or already used')
  })

  it.each([
    ['attestationObject', { attestationObjectBytes: (bytes: Uint8Array) => bytes.subarray(0, -1) }],
    ['clientDataJSON', { clientDataBytes: (bytes: Uint8Array) => bytes.subarray(0, -1) }],
    ['clientDataJSON', { clientData: { origin: undefined } }],
  ])('refuses a malformed structure, names %s, and can still be completed', async (member, changes) => {
    const { countersign, caller, begin } = await given()
    const { challengeId, publicKey } = await begin()
    const virtual = createVirtualPasskey()
    const finish = (credential: ReturnType<typeof virtual.create>) =>
      countersign.passkeys.finishRegistration({ caller, challengeId, credential })
    const refusal = await finish(virtual.create(publicKey, changes)).catch((error: unknown) => error)
    expect(refusal).toBeInstanceOf(Invalid)
    expect((refusal as Invalid).message).toMatch(new RegExp(`^credential\\.response\\.${member}: must be `))
    await finish(virtual.create(publicKey))
  })

  it('expires with its challenge', async () => {
    const { countersign, caller, begin, clock } = await given()
    const { challengeId, publicKey } = await begin()
    clock.advance(publicKey.timeout)
    const finishing = countersign.passkeys.finishRegistration({
      caller,
      challengeId,
      credential: createVirtualPasskey().create(publicKey),
    })
    await expect(finishing).rejects.toThrow('Passkey registration expired or already used')
  })

  it('requires the requested user verification', async () => {
    const test = await given()
    const virtual = createVirtualPasskey({ verifiesUser: false })
    await registerTestPasskey(test, test.caller, { virtual })
    const required = { virtual: createVirtualPasskey({ verifiesUser: false }), begin: { userVerification: 'required' } as const }
    await expect(registerTestPasskey(test, test.caller, required)).rejects.toThrow('Invalid passkey')
  })

  it('accepts a credential once for each user', async () => {
    const test = await given()
    const { virtual } = await registerTestPasskey(test, test.caller)
    await expect(registerTestPasskey(test, test.caller, { virtual })).rejects.toThrow('Passkey already registered')
  })

  it('does not reveal whether a listed id belongs to a user or is a decoy', async () => {
    const test = await given()
    const { virtual } = await registerTestPasskey(test, test.caller)
    const { caller } = await signInNewUser(test)
    for (const email of [test.user.email, 'nobody@example.test']) {
      const { publicKey } = await test.countersign.passkeys.beginLogin({ email })
      const id = publicKey.allowCredentials[0]?.id ?? ''
      const copy = createVirtualPasskey({ credentialId: Buffer.from(id, 'base64url') })
      expect((await registerTestPasskey(test, caller, { virtual: copy })).passkey).toMatchObject({ id, userId: caller.userId })
      expect((await test.countersign.passkeys.beginLogin({ email })).publicKey.allowCredentials).toStrictEqual(
        publicKey.allowCredentials,
      )
    }
    for (const begin of [{}, { email: test.user.email }]) {
      expect((await signInByPasskey(test, virtual, { begin })).caller.userId).toBe(test.user.id)
    }
  })

  it('with an id that another user has keeps both passkeys separate', async () => {
    const test = await given()
    const { virtual: owned } = await registerTestPasskey(test, test.caller)
    const thief = await signInNewUser(test)
    const copy = createVirtualPasskey({ credentialId: Buffer.from(owned.id, 'base64url') })
    await registerTestPasskey(test, thief.caller, { virtual: copy })
    expect((await signInByPasskey(test, copy)).caller.userId).toBe(thief.user.id)
    expect((await signInByPasskey(test, owned)).caller.userId).toBe(test.user.id)
    const asOther = [
      [copy, test.user.email],
      [owned, thief.user.email],
    ] as const
    for (const [virtual, email] of asOther) {
      for (const changes of [{}, { userHandle: null }]) {
        await expect(signInByPasskey(test, virtual, { begin: { email }, changes })).rejects.toThrow('Invalid passkey')
      }
    }
    const { caller } = await signInByPasskey(test, owned)
    await test.countersign.passkeys.remove({ caller: thief.caller, credentialId: copy.id })
    await test.countersign.auth.authenticate({ token: (await signInByPasskey(test, owned)).tokens.accessToken })
    expect(await test.countersign.passkeys.list({ caller })).toHaveLength(1)
    await expect(signInByPasskey(test, copy)).rejects.toThrow('Invalid passkey')
  })
})
