import { limits } from '@countersign/contract'
import { createTestCountersign, type TestCountersignOverrides } from '@countersign/storage-sqlite/testing'
import { describe, expect, it } from 'vitest'
import { minutes } from '../../shared/clock.ts'
import { systemRandom } from '../../shared/random.ts'
import { registerTestPasskey, signInByPasskey } from '../../testing/passkeys.ts'
import { signInNewUser } from '../../testing/sign-in.ts'
import { generateDeviceKeyPair } from '../../testing/test-device.ts'
import { createVirtualPasskey } from '../../testing/virtual-passkey.ts'
import type { CreationChanges } from '../../testing/virtual-passkey-types.ts'

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

  it('requests the given options, and of two different demands the stricter one', async () => {
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
    const key = createVirtualPasskey({ transports: ['usb'] })
    test.clock.advance(1)
    await registerTestPasskey(test, test.caller, { virtual: key })
    expect((await test.begin()).publicKey.excludeCredentials).toStrictEqual([
      { type: 'public-key', id: virtual.id, transports: ['hybrid', 'internal'] },
      { type: 'public-key', id: shy.id },
      { type: 'public-key', id: key.id, transports: ['usb'] },
    ])
  })

  it('lists the passkeys on probation too, except with an enrolment code, which lets an authenticator replace them', async () => {
    const test = await given()
    const { virtual: trusted } = await registerTestPasskey(test, test.caller)
    test.clock.advance(minutes(11))
    const { virtual: added, passkey } = await registerTestPasskey(test, test.caller)
    expect(passkey.trusted).toBe(false)
    const listed = async (input: object) => (await test.begin(input)).publicKey.excludeCredentials.map(({ id }) => id)
    expect(await listed({})).toStrictEqual([trusted.id, added.id])
    const { code: enrolmentCode } = await test.countersign.users.enrol({ email: test.user.email })
    expect(await listed({ enrolmentCode })).toStrictEqual([trusted.id])
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
      tenants: null,
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

  it('accepts the longest credential id', async () => {
    const test = await given()
    const virtual = createVirtualPasskey({ credentialId: systemRandom.bytes(limits.credentialIdBytes) })
    expect((await registerTestPasskey(test, test.caller, { virtual })).passkey).toMatchObject({ id: virtual.id })
    expect((await signInByPasskey(test, virtual)).caller.userId).toBe(test.user.id)
  })

  it.each([[undefined], [{}], [{ credProps: {} }]])(
    'by a browser that reports %j does not say whether the passkey is discoverable',
    async (clientExtensionResults) => {
      const test = await given()
      const { challengeId, publicKey } = await test.begin()
      const credential = { ...createVirtualPasskey().create(publicKey), clientExtensionResults }
      const passkey = await test.countersign.passkeys.finishRegistration({ caller: test.caller, challengeId, credential })
      expect(passkey.discoverable).toBeNull()
    },
  )

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

  it('with a credential id that another user has keeps both passkeys separate', async () => {
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

describe('the key of a new passkey', () => {
  const rsa = generateDeviceKeyPair('RS256')
  it.each<['ES256' | 'RS256', string, CreationChanges['coseKey']]>([
    ['ES256', 'with a further member', { [-4]: 0 }],
    ['ES256', 'with the key type of RSA', { 1: 3 }],
    ['ES256', 'on another curve', { [-1]: 2 }],
    ['ES256', 'with its algorithm as text', { 3: '-7' }],
    ['RS256', 'with a further member', { [-4]: 0 }],
    ['RS256', 'with the key type of P-256', { 1: 2 }],
  ])('of %s %s is refused', async (algorithm, _, coseKey = {}) => {
    const test = await given()
    const virtual = createVirtualPasskey({ algorithm, ...(algorithm === 'RS256' && { keyPair: rsa }) })
    const registration = registerTestPasskey(test, test.caller, { virtual, changes: { coseKey } })
    await expect(registration).rejects.toThrow('Invalid passkey')
    expect(test.logger.entries).toMatchObject([{ event: 'passkey_refused', fields: { reason: 'key' } }])
  })
})

describe('an attestation', () => {
  const certificate = new Uint8Array(300)
  const register = async (changes: CreationChanges) => {
    const test = await createTestCountersign()
    const { caller } = await signInNewUser(test)
    return registerTestPasskey(test, caller, { virtual: createVirtualPasskey(), changes })
  }

  it.each<[string, CreationChanges]>([
    ['signed by the new key itself', { attestation: 'packed' }],
    ['with one certificate', { attestation: 'packed', statement: { x5c: [certificate] } }],
    ['of a security key', { format: 'fido-u2f', statement: { sig: new Uint8Array(70), x5c: [certificate] } }],
  ])('%s is accepted', async (_, changes) => {
    await expect(register(changes)).resolves.toBeDefined()
  })

  it.each<[string, CreationChanges]>([
    ['without one of its certificates', { attestation: 'packed', statement: { x5c: [] } }],
    ['with a certificate in a format that has none', { format: 'none', statement: { x5c: [certificate] } }],
    ['in an unknown format', { format: 'android-safetynet', statement: { x5c: [certificate] } }],
    ['by the new key, with a further member', { attestation: 'packed', statement: { ecdaaKeyId: new Uint8Array(8) } }],
    ['by the new key, with the name of another algorithm', { attestation: 'packed', statement: { alg: -257 } }],
    ['by the new key, without a signature', { attestation: 'packed', statement: { sig: undefined, ver: '2.0' } }],
  ])('%s is refused', async (_, changes) => {
    await expect(register(changes)).rejects.toThrow('Invalid passkey')
  })
})
