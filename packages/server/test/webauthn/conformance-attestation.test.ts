import { type CreationChanges, createVirtualPasskey } from '@countersign/core/testing'
import { cborBytes, cborText, putTogether, takeApart } from '../../src/testing/webauthn/attestation-object-bytes.ts'
import { beginRegistration, type RegistrationCeremony } from '../../src/testing/webauthn/ceremony.ts'
import { type ConformanceCase, type ConformanceTest, describeConformance } from '../../src/testing/webauthn/conformance.ts'
import { foreignKeys } from '../../src/testing/webauthn/foreign-keys.ts'

/*
 * Our own tests under the public names of the FIDO conformance tests for servers, for the formats none and packed. They are not a
 * certification. If our policy refuses what the tool would accept, the case says so.
 */

type Case = ConformanceCase<RegistrationCeremony, CreationChanges>

const packed: RegistrationCeremony = { changes: { attestation: 'packed' } }
const attested = (name: string, changes: CreationChanges): Case => ({ name, ceremony: packed, changes })
const stranger = createVirtualPasskey()
const certificate = new Uint8Array(400).fill(0x30)

/** Replaces parts of the attestation object. `undefined` omits a part. */
const object = (name: string, parts: Parameters<typeof putTogether>[0]): Case =>
  attested(name, { attestationObjectBytes: (bytes) => putTogether({ ...takeApart(bytes), ...parts }) })

const objects: readonly Case[] = [
  attested('F-1: which is not a map', { attestationObjectBytes: () => Buffer.of(0x80) }),
  object('F-2: without a format', { fmt: undefined }),
  object('F-3: with a format that is not text', { fmt: Buffer.of(7) }),
  object('F-4: without a statement', { attStmt: undefined }),
  object('F-5: with a statement that is not a map', { attStmt: Buffer.of(0x80) }),
  object('F-6: without authenticator data', { authData: undefined }),
  object('F-7: with authenticator data that is not bytes', { authData: cborText('data') }),
  object('F-8: with empty authenticator data', { authData: cborBytes(Buffer.alloc(0)) }),
  attested('F-10: without a credential, and none announced', {
    flags: { attestedCredential: false },
    authenticatorDataBytes: (bytes) => bytes.subarray(0, 37),
  }),
  attested('F-11: without a credential that is announced', { authenticatorDataBytes: (bytes) => bytes.subarray(0, 37) }),
  attested('F-12: with something after the credential', {
    authenticatorDataBytes: (bytes) => Buffer.concat([bytes, Buffer.alloc(4)]),
  }),
]

/** Well-formed statements with wrong values. */
const contents: readonly Case[] = [
  attested('F-9: with a credential that is not announced', { flags: { attestedCredential: false } }),
  attested('F-13: with an empty statement', { statement: { alg: undefined, sig: undefined } }),
  attested('F-14: with a statement without an algorithm', { statement: { alg: undefined } }),
  attested('F-15: with an algorithm that is not a number', { statement: { alg: 'ES256' } }),
  attested('F-16: with an algorithm that is not the key’s', { statement: { alg: -257 } }),
  attested('F-17: with a statement without a signature', { statement: { sig: undefined } }),
  attested('F-18: with a signature that is not bytes', { statement: { sig: 'signature' } }),
  attested('F-19: with an empty signature', { statement: { sig: new Uint8Array() } }),
]

const full = (name: string, changes: CreationChanges): Case =>
  attested(name, { ...changes, statement: { x5c: [certificate], ...changes.statement } })

/** Certificates are accepted and not read, because nobody asked for them. The tool refuses all cases but the first two. */
const fullAttestations: readonly Case[] = [
  full('P-1: with a certificate', {}),
  full('P-2: with a chain of certificates', { statement: { x5c: [certificate, certificate] } }),
  full('F-2: with a signature that cannot be verified', { statement: { sig: new Uint8Array(70).fill(1) } }),
  full('F-6 to F-12: with malformed certificates, whatever their dates, order and issuers', {
    statement: { x5c: [new Uint8Array(), 'certificate', certificate] },
  }),
  full('F-13: with a signature by another key than the certificate’s', { signingKey: stranger.keyPair.privateKey }),
  full('F-14: with a signature by the credential’s key', {}),
  ...['fido-u2f', 'tpm', 'android-key', 'apple'].map((format) => full(`in the format ${format}`, { format })),
]

const refusedFullAttestations: readonly Case[] = [
  full('F-1: of an unknown format', { format: 'packed-full' }),
  full('F-3: without certificates, signed by another key', {
    statement: { x5c: undefined },
    signingKey: stranger.keyPair.privateKey,
  }),
  full('F-4: with certificates that are not a list', { statement: { x5c: certificate } }),
  full('F-5: with an empty list of certificates', { statement: { x5c: [] } }),
]

const selfAttestations: readonly Case[] = [
  attested('F-1: with a wrong signature', { signature: (bytes) => Buffer.from(bytes).reverse() }),
  attested('F-3: of an unknown format', { format: 'packed-self' }),
]

const nobodyAttests: readonly Case[] = [
  {
    name: 'F-1: with a statement of full attestation',
    changes: { statement: { alg: -7, sig: new Uint8Array(70), x5c: [certificate] } },
  },
  { name: 'with a statement of self attestation', ceremony: packed, changes: { format: 'none' } },
]

/** Self attestation by a key of another algorithm, which the statement names too. */
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

const tests: readonly ConformanceTest<RegistrationCeremony, CreationChanges>[] = [
  { test: 'Resp-3: an attestation object without its form', cases: objects, status: 400 },
  { test: 'Resp-3: an attestation object', cases: contents, status: 401 },
  { test: 'Resp-4: self attestation of an algorithm', cases: algorithms(), status: 401 },
  { test: 'Resp-5: full attestation in the format packed', cases: refusedFullAttestations, status: 401 },
  { test: 'Resp-5: full attestation in the format packed', cases: fullAttestations, status: 200 },
  { test: 'Resp-6: self attestation in the format packed', cases: selfAttestations, status: 401 },
  { test: 'Resp-7: no attestation', cases: nobodyAttests, status: 401 },
  { test: 'Resp-8 to Resp-B: an unsupported format', cases: otherFormats, status: 401 },
  {
    test: 'Resp-3: an attestation object',
    cases: [attested('P-1: with extensions', { extensions: new Map([['example.extension', 'a text']]) })],
    status: 200,
  },
  {
    test: 'Resp-4: self attestation of an algorithm',
    cases: [
      { name: 'P-5: RS256', ceremony: { passkey: { algorithm: 'RS256' }, changes: { attestation: 'packed' } } },
      attested('P-9: ES256', {}),
    ],
    status: 200,
  },
  { test: 'Resp-6: self attestation in the format packed', cases: [attested('P-1: a valid one', {})], status: 200 },
  { test: 'Resp-7: no attestation', cases: [{ name: 'P-1: a valid one' }], status: 200 },
]

describeConformance('Server-ServerAuthenticatorAttestationResponse', 'passkeys.finishRegistration', beginRegistration, tests)
