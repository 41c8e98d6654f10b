import type { CeremonyChanges } from '@countersign/core/testing'
import type { Refusal } from './violation.ts'

/** Violations that registrations and logins have in common. */
export interface CommonViolation {
  readonly name: string
  readonly changes: CeremonyChanges
  readonly refusal?: Refusal
}

/** A malformed structure, which no browser or authenticator produces. */
const misshapen = (member: string, takes: string): Refusal => ({
  status: 400,
  message: `credential.response.${member}: ${takes}`,
})
const malformedClientData = misshapen('clientDataJSON', 'must be client data in JSON, with type, challenge and origin')
export const malformedAttestationObject = misshapen('attestationObject', 'must be an attestation object in canonical CBOR')
export const malformedAuthenticatorData = misshapen('authenticatorData', 'must be exactly authenticator data')

/** Returns the client data with changed members. `undefined` omits a member. */
const clientData = (name: string, members: Readonly<Record<string, unknown>>): CommonViolation => ({
  name,
  changes: { clientData: members },
})

/** Members that are missing or are not text. */
const misshapenClientData = (name: string, members: Readonly<Record<string, unknown>>): CommonViolation => ({
  ...clientData(name, members),
  refusal: malformedClientData,
})

const clientDataText = (name: string, text: (json: string) => string | Uint8Array): CommonViolation => ({
  name,
  changes: { clientDataBytes: (bytes) => Buffer.from(text(Buffer.from(bytes).toString())) },
  refusal: malformedClientData,
})

export const undecodableClientData = [clientDataText('client data in UTF-16', (json) => Buffer.from(json, 'utf16le'))] as const

export const unparsableClientData = [
  clientDataText('client data that is cut short', (json) => json.slice(0, -1)),
  clientDataText('client data with something after it', (json) => `${json}x`),
  clientDataText('client data in a list', (json) => `[${json}]`),
  clientDataText('client data in a text', (json) => JSON.stringify(json)),
  clientDataText('client data that is null', () => 'null'),
  clientDataText('client data that would be a prototype', (json) => `{"__proto__":${json}}`),
  clientDataText('client data that is nested without end', () => '['.repeat(6000)),
] as const

export const wrongTypes = (own: string, other: string): readonly CommonViolation[] => [
  clientData('the type of the other ceremony', { type: other }),
  clientData('the type of a payment', { type: own.replace('webauthn', 'payment') }),
  misshapenClientData('no type', { type: undefined }),
  clientData('the type in capitals', { type: own.toUpperCase() }),
  misshapenClientData('the type in a list', { type: [own] }),
]

const toBase64 = (text: string): string => Buffer.from(text, 'base64url').toString('base64')

/** A violation that depends on the options of the ceremony. */
interface ViolationOfOptions {
  readonly name: string
  readonly changes: (begun: { readonly options: { readonly challenge: string } }) => CeremonyChanges
  readonly refusal?: Refusal
}

export const respelledChallenges: readonly ViolationOfOptions[] = [
  { name: 'the challenge in base64', changes: ({ options }) => ({ clientData: { challenge: toBase64(options.challenge) } }) },
  {
    name: 'the challenge without its last character',
    changes: ({ options }) => ({ clientData: { challenge: options.challenge.slice(0, -1) } }),
  },
  {
    name: 'the challenge in a list',
    changes: ({ options }) => ({ clientData: { challenge: [options.challenge] } }),
    refusal: malformedClientData,
  },
  { name: 'no challenge', changes: () => ({ clientData: { challenge: undefined } }), refusal: malformedClientData },
  { name: 'an empty challenge', changes: () => ({ clientData: { challenge: '' } }) },
]

export const foreignOrigins: readonly CommonViolation[] = [
  ...[
    'https://localhost:4000',
    'http://localhost:4001',
    'http://localhost',
    'http://localhost:4000/',
    'http://LOCALHOST:4000',
    'http://localhost:4000.evil.test',
    'http://evil.localhost:4000',
    'localhost',
    'null',
    '',
  ].map((origin) => clientData(`the origin '${origin}'`, { origin })),
  misshapenClientData('the origin in a list', { origin: ['http://localhost:4000'] }),
  misshapenClientData('no origin', { origin: undefined }),
]

export const foreignFrames = [
  clientData('crossOrigin true', { crossOrigin: true }),
  clientData('crossOrigin that is neither true nor false', { crossOrigin: 'true' }),
] as const

export const topOrigins = [
  clientData('a topOrigin of another page', { topOrigin: 'https://evil.test' }),
  clientData('a topOrigin of another page, and crossOrigin', { topOrigin: 'https://evil.test', crossOrigin: true }),
  clientData('a topOrigin that is our own', { topOrigin: 'http://localhost:4000' }),
  clientData('a topOrigin that is null', { topOrigin: null }),
] as const

export const foreignRelyingParties: readonly CommonViolation[] = [
  'evil.test',
  'LOCALHOST',
  'http://localhost:4000',
  'a.localhost',
  '',
].map((rpId) => ({ name: `the relying party '${rpId}'`, changes: { rpId } }))

export const nobodyPresent = [{ name: 'nobody present', changes: { flags: { userPresent: false } } }] as const

/** @param malformed The refusal of outputs that are not a map. */
export const brokenExtensions = (malformed: Refusal): readonly CommonViolation[] => [
  { name: 'outputs that are announced but missing', changes: { flags: { extensions: true } } },
  {
    name: 'outputs that are present but not announced',
    changes: { extensions: new Map([['x', 1]]), flags: { extensions: false } },
  },
  { name: 'outputs that are not a map', changes: { extensions: 1 }, refusal: malformed },
  { name: 'outputs in a list', changes: { extensions: [] }, refusal: malformed },
]
