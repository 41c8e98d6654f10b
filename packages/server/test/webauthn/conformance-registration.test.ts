import { type CreationChanges, createVirtualPasskey } from '@countersign/core/testing'
import { describe, expect, it } from 'vitest'
import { signIn } from '../../src/testing/sign-in.ts'
import { createTestApp } from '../../src/testing/test-app.ts'
import { cborBytes, cborText, putTogether, takeApart } from '../../src/testing/webauthn/attestation-object-bytes.ts'
import {
  beginRegistration,
  type RegistrationCeremony,
  withCredential,
  withResponse,
} from '../../src/testing/webauthn/ceremony.ts'
import {
  brokenClientData,
  brokenCredential,
  brokenResponse,
  type ConformanceCase,
  inEachWay,
  statusOfCase,
} from '../../src/testing/webauthn/conformance.ts'
import { foreignKeys } from '../../src/testing/webauthn/foreign-keys.ts'

/*
 * Tests of our own under the public names of the FIDO conformance tests for servers, for the formats none and packed. They
 * are no certification, and say nothing of the tool itself. Where a policy of ours refuses what the tool would have
 * accepted, the case says so.
 */

type Case = ConformanceCase<RegistrationCeremony, CreationChanges>

const packed: RegistrationCeremony = { changes: { attestation: 'packed' } }
const attested = (name: string, changes: CreationChanges): Case => ({ name, ceremony: packed, changes })
const stranger = createVirtualPasskey()
const certificate = new Uint8Array(400).fill(0x30)

const [id, clientDataJSON, attestationObject] = [
  brokenCredential('id'),
  brokenResponse('clientDataJSON'),
  brokenResponse('attestationObject'),
]

const malformed: readonly Case[] = [
  { name: 'F-1: without an id', sent: id.missing },
  ...inEachWay('F-2: with an id that is no text', id.ofAnotherType),
  ...inEachWay('F-3: with an id that is no base64url', id.notBase64Url),
  { name: 'F-4: without a type', sent: (answer) => withCredential(answer, { type: undefined }) },
  ...inEachWay('F-5: with a type that is no text', brokenCredential('type').ofAnotherType),
  { name: 'F-6: with a type that is not public-key', sent: (answer) => withCredential(answer, { type: 'public_key' }) },
  { name: 'F-7: without a response', sent: (answer) => withCredential(answer, { response: undefined }) },
  ...inEachWay(
    'F-8: with a response that is no object',
    [null, 7, 'response', []].map((response) => (answer) => withCredential(answer, { response })),
  ),
  { name: 'F-9: without client data', sent: clientDataJSON.missing },
  ...inEachWay('F-10: with client data that is no text', clientDataJSON.ofAnotherType),
  { name: 'F-11: with empty client data', sent: clientDataJSON.empty },
  { name: 'F-12: without an attestation object', sent: attestationObject.missing },
  ...inEachWay('F-13: with an attestation object that is no text', attestationObject.ofAnotherType),
  { name: 'F-14: with an empty attestation object', sent: attestationObject.empty },
]

/** What the tool does not ask, and is refused in the same way. */
const malformedBeyond: readonly Case[] = [
  { name: 'an empty id', sent: id.empty },
  { name: 'no raw id', sent: brokenCredential('rawId').missing },
  ...inEachWay('client data that is no base64url', clientDataJSON.notBase64Url),
  ...inEachWay('an attestation object that is no base64url', attestationObject.notBase64Url),
  ...inEachWay(
    'transports that are none',
    [7, 'usb', ['USB'], [7], Array(1000).fill('usb')].map((transports) => (answer) => withResponse(answer, { transports })),
  ),
  ...inEachWay(
    'a challenge id that is none',
    [undefined, null, 7, '', 'x', {}].map((challengeId) => (answer) => ({ ...answer, challengeId })),
  ),
  ...inEachWay(
    'a credential that is no object',
    [undefined, null, 7, '', 'x', []].map((credential) => (answer) => ({ ...answer, credential })),
  ),
]

/** With other parts of the attestation object; `undefined` leaves one out. */
const object = (name: string, parts: Parameters<typeof putTogether>[0]): Case =>
  attested(name, { attestationObjectBytes: (bytes) => putTogether({ ...takeApart(bytes), ...parts }) })

const objects: readonly Case[] = [
  attested('F-1: which is no map', { attestationObjectBytes: () => Buffer.of(0x80) }),
  object('F-2: without a format', { fmt: undefined }),
  object('F-3: with a format that is no text', { fmt: Buffer.of(7) }),
  object('F-4: without a statement', { attStmt: undefined }),
  object('F-5: with a statement that is no map', { attStmt: Buffer.of(0x80) }),
  object('F-6: without authenticator data', { authData: undefined }),
  object('F-7: with authenticator data that is no bytes', { authData: cborText('data') }),
  object('F-8: with empty authenticator data', { authData: cborBytes(Buffer.alloc(0)) }),
  attested('F-9: with a credential that is not announced', { flags: { attestedCredential: false } }),
  attested('F-10: without a credential, and none announced', {
    flags: { attestedCredential: false },
    authenticatorDataBytes: (bytes) => bytes.subarray(0, 37),
  }),
  attested('F-11: without a credential that is announced', { authenticatorDataBytes: (bytes) => bytes.subarray(0, 37) }),
  attested('F-12: with something after the credential', {
    authenticatorDataBytes: (bytes) => Buffer.concat([bytes, Buffer.alloc(4)]),
  }),
  attested('F-13: with an empty statement', { statement: { alg: undefined, sig: undefined } }),
  attested('F-14: with a statement without an algorithm', { statement: { alg: undefined } }),
  attested('F-15: with an algorithm that is no number', { statement: { alg: 'ES256' } }),
  attested('F-16: with an algorithm that is not the key’s', { statement: { alg: -257 } }),
  attested('F-17: with a statement without a signature', { statement: { sig: undefined } }),
  attested('F-18: with a signature that is no bytes', { statement: { sig: 'signature' } }),
  attested('F-19: with an empty signature', { statement: { sig: new Uint8Array() } }),
]

const full = (name: string, changes: CreationChanges): Case =>
  attested(name, { ...changes, statement: { x5c: [certificate], ...changes.statement } })

/** Full attestation is refused as such: it was not asked for, and nobody is trusted to give it. */
const fullAttestations: readonly Case[] = [
  full('P-1, which we refuse by policy: with a certificate', {}),
  full('P-2, which we refuse by policy: with a chain of certificates', { statement: { x5c: [certificate, certificate] } }),
  full('F-1: of a format that is not known', { format: 'packed-full' }),
  full('F-2: with a signature that cannot be verified', { statement: { sig: new Uint8Array(70).fill(1) } }),
  full('F-3: without certificates, signed by another key', {
    statement: { x5c: undefined },
    signingKey: stranger.keyPair.privateKey,
  }),
  full('F-4: with certificates that are no list', { statement: { x5c: certificate } }),
  full('F-5: with an empty list of certificates', { statement: { x5c: [] } }),
  full('F-6 to F-12: with certificates that are none, whatever their dates, order and issuers', {
    statement: { x5c: [new Uint8Array(), 'certificate', certificate] },
  }),
  full('F-13: with a signature by another key than the certificate’s', { signingKey: stranger.keyPair.privateKey }),
  full('F-14: with a signature by the credential’s key', {}),
]

const selfAttestations: readonly Case[] = [
  attested('F-1: with a signature that is wrong', { signature: (bytes) => Buffer.from(bytes).reverse() }),
  full('F-2: with certificates as well', {}),
  attested('F-3: of a format that is not known', { format: 'packed-self' }),
]

const nobodyAttests: readonly Case[] = [
  {
    name: 'F-1: with a statement of full attestation',
    changes: { statement: { alg: -7, sig: new Uint8Array(70), x5c: [certificate] } },
  },
  { name: 'with a statement of self attestation', ceremony: packed, changes: { format: 'none' } },
]

/** Self attestation by a key of another algorithm, which the statement names as well. */
const ofAlgorithm = (name: string, key: keyof typeof foreignKeys): Case => {
  const changes: CreationChanges = foreignKeys[key]()
  return attested(name, { ...changes, statement: { alg: changes.coseKey?.[ALGORITHM] } })
}
/** The label of a COSE key's algorithm (RFC 9052 §7.1). */
const ALGORITHM = 3

const algorithms = (): readonly Case[] => [
  ofAlgorithm('P-1, which we do not offer: ES256K', 'ES256K'),
  ofAlgorithm('P-2, which we do not offer: PS256', 'PS256'),
  ofAlgorithm('P-3, which we do not offer: PS384', 'PS384'),
  ofAlgorithm('P-4, which we do not offer: PS512', 'PS512'),
  ofAlgorithm('P-6, which we do not offer: RS384', 'RS384'),
  ofAlgorithm('P-7, which we do not offer: RS512', 'RS512'),
  ofAlgorithm('P-8, which we do not offer: RS1', 'RS1'),
  ofAlgorithm('P-10, which we do not offer: ES384', 'ES384'),
  ofAlgorithm('P-11, which we do not offer: ES512', 'ES512'),
  ofAlgorithm('P-12, which we do not offer: EdDSA', 'EdDSA'),
]

const otherFormats: readonly Case[] = ['fido-u2f', 'tpm', 'android-key', 'android-safetynet', 'apple', 'compound'].map((format) =>
  attested(`the format ${format}`, { format }),
)

const refused: readonly { readonly test: string; readonly cases: readonly Case[]; readonly status: 400 | 401 }[] = [
  { test: 'Resp-1: a request that is not as it should be', cases: malformed, status: 400 },
  { test: 'Resp-1 and beyond: a request that is not as it should be', cases: malformedBeyond, status: 400 },
  { test: 'Resp-2: client data', cases: brokenClientData('webauthn.create', 'webauthn.get'), status: 401 },
  { test: 'Resp-3: an attestation object', cases: objects, status: 401 },
  { test: 'Resp-4: self attestation of an algorithm', cases: algorithms(), status: 401 },
  { test: 'Resp-5: full attestation in the format packed', cases: fullAttestations, status: 401 },
  { test: 'Resp-6: self attestation in the format packed', cases: selfAttestations, status: 401 },
  { test: 'Resp-7: no attestation', cases: nobodyAttests, status: 401 },
  { test: 'Resp-8 to Resp-B: a format that we do not take', cases: otherFormats, status: 401 },
]

const accepted: readonly { readonly test: string; readonly cases: readonly Case[] }[] = [
  {
    test: 'Resp-1 and beyond: a request with more than is asked for',
    cases: [
      {
        name: 'members of the credential',
        sent: (answer) => withCredential(answer, { authenticatorAttachment: 'platform', future: [{}], toString: 1 }),
      },
      {
        name: 'members of the response',
        sent: (answer) =>
          withResponse(answer, { authenticatorData: 7, publicKey: {}, publicKeyAlgorithm: 'x', signature: null, future: [] }),
      },
      { name: 'members of the request', sent: (answer) => ({ ...answer, userId: 1, publicKey: {}, rpId: 'evil.test' }) },
    ],
  },
  {
    test: 'Resp-2: client data',
    cases: [
      { name: 'with a token binding that is supported', changes: { clientData: { tokenBinding: { status: 'supported' } } } },
      { name: 'with members of the future', changes: { clientData: { future: { a: [1] } } } },
    ],
  },
  {
    test: 'Resp-3: an attestation object',
    cases: [attested('P-1: with extensions', { extensions: new Map([['example.extension', 'a text']]) })],
  },
  {
    test: 'Resp-4: self attestation of an algorithm',
    cases: [
      { name: 'P-5: RS256', ceremony: { passkey: { algorithm: 'RS256' }, changes: { attestation: 'packed' } } },
      attested('P-9: ES256', {}),
    ],
  },
  { test: 'Resp-6: self attestation in the format packed', cases: [attested('P-1: a good one', {})] },
  { test: 'Resp-7: no attestation', cases: [{ name: 'P-1: a good one' }] },
]

const run = async (one: Case): Promise<number> =>
  statusOfCase('passkeys.finishRegistration', await beginRegistration(createTestApp(), one.ceremony), one)

describe.each(refused)('Server-ServerAuthenticatorAttestationResponse-$test is refused', ({ cases, status }) => {
  it.each(cases)('$name', async (one) => {
    expect(await run(one)).toBe(status)
  })
})

describe.each(accepted)('Server-ServerAuthenticatorAttestationResponse-$test is accepted', ({ cases }) => {
  it.each(cases)('$name', async (one) => {
    expect(await run(one)).toBe(200)
  })
})

describe('Server-ServerAuthenticatorAttestationResponse-Resp-1', () => {
  it('P-1: what was registered is listed, so that it is not registered again', async () => {
    const test = createTestApp()
    const owner = await signIn(test)
    const { passkey, answer, finish, options } = await beginRegistration(test, packed, owner)
    expect(options.excludeCredentials).toEqual([])
    expect((await finish(answer())).status).toBe(200)
    const next = await beginRegistration(test, packed, owner)
    expect(next.options.excludeCredentials).toMatchObject([{ type: 'public-key', id: passkey.id }])
  })
})
