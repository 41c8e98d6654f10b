import { type AssertionChanges, approvalByPasskey, createVirtualPasskey, signInNewPasskeyUser } from '@countersign/core/testing'
import { beforeAll, describe, expect, it } from 'vitest'
import { initiatePayment } from '../../src/testing/sign-in.ts'
import { createTestApp, type TestApp } from '../../src/testing/test-app.ts'
import { brokenClientData, ignoredTokenBindings, malformedClientDataCases } from '../../src/testing/webauthn/conformance.ts'

/*
 * The cases of the FIDO conformance tests for servers, as for logins (see conformance-login), on an approval by a passkey. They are
 * our own tests under public names, and no certification.
 */

const options = { passkeyApprovals: true, rateLimits: 'off', wrongSignaturesPerConfirmation: 100_000 } as const

type Body = Readonly<Record<string, unknown>>

/** A user with a trusted passkey, whose payments wait. */
const given = async (test: TestApp, passkey: Parameters<typeof createVirtualPasskey>[0] = {}) => {
  const user = await signInNewPasskeyUser(test, { virtual: createVirtualPasskey(passkey) })
  const token = user.tokens.accessToken
  const { confirmationId, challenge } = await initiatePayment(test, token)
  const bodyOf = (changes: AssertionChanges = {}): Body =>
    approvalByPasskey(user.virtual, { id: confirmationId, challenge }, changes)
  const verify = async ({ confirmationId: _, ...json }: Body) =>
    test.send('POST', `/api/v1/auth/confirmation/${confirmationId}/verify`, { token, json })
  const stored = () => test.storage.confirmations.byId(confirmationId)
  return { bodyOf, verify, stored, user, token, confirmationId, challenge }
}

const members = ['credentialId', 'authenticatorData', 'clientDataJSON', 'signature'] as const
const notText = [true, 7, [], {}, ['AA']]
const notBase64Url = ['*', 'A', 'AA AA', 'ÄÄÄÄ', 'AB', '-_+/']

const malformed = members.flatMap((member) => [
  { name: `without ${member}`, sent: { [member]: undefined } },
  { name: `with an empty ${member}`, sent: { [member]: '' } },
  ...notText.map((value) => ({ name: `with ${member} ${JSON.stringify(value)}, which is not text`, sent: { [member]: value } })),
  ...notBase64Url.map((value) => ({ name: `with ${member} ${value}, which is not base64url`, sent: { [member]: value } })),
])

const authenticator: readonly { name: string; changes: AssertionChanges; passkey?: { counts: true } }[] = [
  { name: 'Resp-1 F-20: a signature that cannot be verified', changes: { signature: (bytes) => Buffer.from(bytes).reverse() } },
  { name: 'Resp-3 P-4: the user neither present nor verified', changes: { flags: { userPresent: false, userVerified: false } } },
  { name: 'Resp-3 F-2: another relying party', changes: { rpId: 'evil.test' } },
  { name: 'Resp-3 F-4: a count that does not rise', changes: { signCount: 1 }, passkey: { counts: true } },
  { name: 'Resp-3 F-5: the user present but not verified', changes: { flags: { userVerified: false } } },
  { name: 'backed up, and not eligible for it', changes: { flags: { backupEligible: false, backedUp: true } } },
]

describe('an approval by a passkey', () => {
  let test: TestApp
  beforeAll(async () => {
    test = await createTestApp({ options })
  })

  it.each(malformed)('$name is answered with 400, and not counted as a wrong signature', async ({ sent }) => {
    const { bodyOf, verify, stored } = await given(test)
    expect((await verify({ ...bodyOf(), ...sent })).status).toBe(400)
    expect(await stored()).toMatchObject({ status: 'pending', wrongSignatures: 0 })
  })

  it.each([
    ...malformedClientDataCases,
    {
      name: 'Resp-3 F-1: something after the authenticator data',
      changes: { authenticatorDataBytes: (bytes: Uint8Array) => Buffer.concat([bytes, Buffer.alloc(4)]) },
    },
  ])('$name is answered with 400', async ({ changes }) => {
    const { bodyOf, verify, stored } = await given(test)
    expect((await verify(bodyOf(changes))).status).toBe(400)
    expect(await stored()).toMatchObject({ status: 'pending', wrongSignatures: 0 })
  })

  it.each([...brokenClientData('webauthn.get', 'webauthn.create').map((one) => ({ ...one, passkey: {} })), ...authenticator])(
    '$name is answered with 401',
    async ({ changes, passkey = {} }) => {
      const { bodyOf, verify, stored } = await given(test, passkey)
      const { status, body } = await verify(bodyOf(changes))
      expect([status, body]).toMatchObject([401, { message: 'Invalid device signature' }])
      expect(await stored()).toMatchObject({ status: 'pending', wrongSignatures: 1 })
    },
  )

  it.each([
    { name: 'P-1: a valid assertion', changes: {} },
    { name: 'client data without crossOrigin', changes: { clientData: { crossOrigin: undefined } } },
    { name: 'client data with members of the future', changes: { clientData: { future: [{}] } } },
    { name: 'extension outputs', changes: { extensions: new Map([['x', 1]]) } },
    ...ignoredTokenBindings,
  ])('$name is accepted', async ({ changes }) => {
    const { bodyOf, verify } = await given(test)
    expect((await verify(bodyOf(changes))).status).toBe(200)
  })

  it('with another bit in any byte is refused', async () => {
    const { bodyOf, verify, stored } = await given(test)
    const good = bodyOf()
    for (const member of ['authenticatorData', 'clientDataJSON', 'signature', 'credentialId']) {
      const bytes = Buffer.from(String(good[member]), 'base64url')
      for (let at = 0; at < bytes.length; at += 1) {
        const changed = Buffer.from(bytes)
        changed[at] = (changed[at] ?? 0) ^ (1 << ((at * 5) % 8))
        const { status } = await verify({ ...good, [member]: changed.toString('base64url') })
        expect(status, `byte ${at} of ${member}`).toBeOneOf(member === 'credentialId' ? [404] : [400, 401])
      }
    }
    expect(await stored()).toMatchObject({ status: 'pending' })
    expect((await verify(good)).status).toBe(200)
  })

  it('counts as a wrong signature if it is of another confirmation or of a login', async () => {
    const { verify, user, token } = await given(test)
    const other = await initiatePayment(test, token)
    const ofOther = approvalByPasskey(user.virtual, { id: other.confirmationId, challenge: other.challenge })
    expect((await verify(ofOther)).status).toBe(401)
    const { publicKey } = await test.ask('passkeys.beginLogin', {})
    const { id: credentialId, response } = user.virtual.get(publicKey)
    expect((await verify({ ...response, credentialId })).status).toBe(401)
  })

  it('with a passkey of another user is answered with 404', async () => {
    const { verify, confirmationId, challenge } = await given(test)
    const stranger = await signInNewPasskeyUser(test)
    const { status, body } = await verify(approvalByPasskey(stranger.virtual, { id: confirmationId, challenge }))
    expect([status, body]).toMatchObject([404, { message: 'Passkey not found' }])
  })

  it('after its passkey was removed is answered with 404, and does not change the confirmation', async () => {
    const { bodyOf, verify, stored, user, token } = await given(test)
    const good = bodyOf()
    const removed = await test.send('DELETE', `/api/v1/auth/webauthn/credentials/${user.passkey.id}`, { token })
    expect(removed.status).toBe(200)
    expect((await verify(good)).status).toBe(404)
    expect(await stored()).toMatchObject({ status: 'pending', wrongSignatures: 0 })
  })

  it.each([{}, { counts: true }] as const)(
    'succeeds once if it is sent 20 times at the same time; passkey: %j',
    async (passkey) => {
      const { bodyOf, verify, stored } = await given(test, passkey)
      const good = bodyOf()
      const answers = await Promise.all(Array.from({ length: 20 }, () => verify(good)))
      const [won, ...lost] = answers.map(({ status }) => status).sort()
      expect(won).toBe(200)
      // A counter that the winner has raised is refused as a signature.
      for (const status of lost) expect(status).toBeOneOf([401, 410])
      expect(await stored()).toMatchObject({ status: 'approved', wrongSignatures: 0 })
    },
  )

  it('is answered with 403 while the option is off', async () => {
    const { bodyOf, verify, stored } = await given(await createTestApp())
    const { status, body } = await verify(bodyOf())
    expect([status, body]).toEqual([
      403,
      { message: 'Insufficient trust level', statusCode: 403, code: 'insufficient_trust_level' },
    ])
    expect(await stored()).toMatchObject({ status: 'pending', wrongSignatures: 0 })
  })
})
