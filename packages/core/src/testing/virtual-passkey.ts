import { createHash, type KeyObject, sign } from 'node:crypto'
import type { Input, Output } from '@countersign/contract'
import { isoCBOR } from '@simplewebauthn/server/helpers'
import { toBase64Url } from '../shared/crypto/base64.ts'
import { systemRandom } from '../shared/random.ts'
import { type DeviceKeyPair, generateDeviceKeyPair } from './test-device.ts'

/** What `navigator.credentials.create()` is given, as JSON. */
export type CreationOptions = Output<'passkeys.beginRegistration'>['publicKey']
/** What `navigator.credentials.get()` is given, as JSON. */
export type RequestOptions = Output<'passkeys.beginLogin'>['publicKey']
/** What `toJSON()` of a new credential gives. */
export type CreatedCredentialJson = Input<'passkeys.finishRegistration'>['credential']
/** What `toJSON()` of a credential that signed gives. */
export type AssertedCredentialJson = Input<'passkeys.finishLogin'>['credential']

/** The flags of authenticator data (WebAuthn Level 3 §6.1). */
export interface AuthenticatorFlags {
  readonly userPresent: boolean
  readonly userVerified: boolean
  readonly backupEligible: boolean
  readonly backedUp: boolean
  /** Whether the data says that a credential follows; by default where one does. */
  readonly attestedCredential: boolean
  /** Whether the data says that extensions follow; by default where they do. */
  readonly extensions: boolean
}

/** CBOR as far as authenticators write it. */
export type CborValue =
  | string
  | number
  | boolean
  | null
  | Uint8Array
  | readonly CborValue[]
  | ReadonlyMap<string | number, CborValue>

/**
 * What one ceremony does otherwise than the passkey would. Everything is signed as it then stands, so that each step of a
 * verification can be violated alone. What is not signed can be changed in what is returned.
 */
export interface CeremonyChanges {
  /** Members of the client data; `undefined` leaves one out. By default type, challenge and origin, and `crossOrigin` false. */
  readonly clientData?: Readonly<Record<string, unknown>>
  /** Changes the bytes of the client data before they are hashed. */
  readonly clientDataBytes?: (bytes: Uint8Array) => Uint8Array
  /** The relying party whose hash stands in the authenticator data; by default that of the options. */
  readonly rpId?: string
  readonly flags?: Partial<AuthenticatorFlags>
  readonly signCount?: number
  /** Extension outputs of the authenticator; none by default. */
  readonly extensions?: CborValue
  /** Changes the authenticator data before it is signed. */
  readonly authenticatorDataBytes?: (bytes: Uint8Array) => Uint8Array
  /** Signs with this key in place of the passkey's own. */
  readonly signingKey?: KeyObject
  /** Changes the signature, of an assertion or of a self attestation. Told what was signed as well. */
  readonly signature?: (signature: Uint8Array, signed: Uint8Array) => Uint8Array
}

export interface CreationChanges extends CeremonyChanges {
  /** `none` by default; `packed`: self attestation. */
  readonly attestation?: 'none' | 'packed'
  /** The `fmt` of the attestation object, in place of that of the attestation. */
  readonly format?: string
  /** Members of the attestation statement; `undefined` leaves one out. */
  readonly statement?: Readonly<Record<string, CborValue | undefined>>
  /** Labels of the COSE key; `undefined` leaves one out. */
  readonly coseKey?: Readonly<Record<number, CborValue | undefined>>
  /** The credential id that the authenticator data names, in place of the passkey's. */
  readonly attestedId?: Uint8Array
  /** Changes the attestation object once it is made. */
  readonly attestationObjectBytes?: (bytes: Uint8Array) => Uint8Array
}

export interface AssertionChanges extends CeremonyChanges {
  /** The user handle given along, base64url; `null`: none. By default that of the user the passkey was created for. */
  readonly userHandle?: string | null
}

export interface VirtualPasskeyOptions {
  readonly algorithm?: 'ES256' | 'RS256'
  /** A key pair made earlier: RSA keys take a while. */
  readonly keyPair?: DeviceKeyPair
  /** The page that asks; `http://localhost:4000` by default. */
  readonly origin?: string
  /** 32 random bytes by default. */
  readonly credentialId?: Uint8Array
  /** 16 bytes; zeros by default, as browsers give for attestation `none`. */
  readonly aaguid?: Uint8Array
  readonly transports?: readonly string[]
  /** Whether it verifies its user; it does by default. */
  readonly verifiesUser?: boolean
  /** Whether it may be, and is, on several devices; both by default. */
  readonly backupEligible?: boolean
  readonly backedUp?: boolean
  /** Whether it counts its signatures, from 1. By default it says 0 each time, as synced passkeys do. */
  readonly counts?: boolean
  /** Whether it can be found without an email; it can by default. */
  readonly discoverable?: boolean
}

/** A passkey and the browser around it, in software. It answers any options, also those that do not allow it. */
export interface VirtualPasskey {
  /** Credential id, base64url. */
  readonly id: string
  readonly keyPair: DeviceKeyPair
  /** The user handle that it was created with last, base64url. */
  readonly userHandle: string | undefined
  /** Creates the credential, as `navigator.credentials.create()` and `toJSON()` would. */
  create(options: CreationOptions, changes?: CreationChanges): CreatedCredentialJson
  /** Signs in, as `navigator.credentials.get()` and `toJSON()` would. */
  get(options: RequestOptions, changes?: AssertionChanges): AssertedCredentialJson
}

const coseAlgorithms = { ES256: -7, RS256: -257 } as const

const coseLabelsOf = (algorithm: 'ES256' | 'RS256', publicKey: KeyObject): [number, CborValue][] => {
  const { x = '', y = '', n = '', e = '' } = publicKey.export({ format: 'jwk' })
  const bytes = (text: string) => new Uint8Array(Buffer.from(text, 'base64url'))
  return algorithm === 'ES256'
    ? [
        [1, 2],
        [3, coseAlgorithms.ES256],
        [-1, 1],
        [-2, bytes(x)],
        [-3, bytes(y)],
      ]
    : [
        [1, 3],
        [3, coseAlgorithms.RS256],
        [-1, bytes(n)],
        [-2, bytes(e)],
      ]
}

const encodeCbor = (value: CborValue): Uint8Array => isoCBOR.encode(value as Parameters<typeof isoCBOR.encode>[0])

const sha256 = (bytes: Uint8Array | string): Buffer => createHash('sha256').update(bytes).digest()

const flagByte = (flags: AuthenticatorFlags): number =>
  (flags.userPresent ? 0x01 : 0) |
  (flags.userVerified ? 0x04 : 0) |
  (flags.backupEligible ? 0x08 : 0) |
  (flags.backedUp ? 0x10 : 0) |
  (flags.attestedCredential ? 0x40 : 0) |
  (flags.extensions ? 0x80 : 0)

const uint = (value: number, bytes: 2 | 4): Buffer => {
  const buffer = Buffer.alloc(bytes)
  buffer.writeUIntBE(value, 0, bytes)
  return buffer
}

/** The entries, some of them changed; those that are then `undefined` are gone. */
const changed = <K extends string | number, V>(
  entries: readonly (readonly [K, V])[],
  changes: readonly (readonly [K, V | undefined])[],
) => {
  const result = new Map<K, V>(entries)
  for (const [key, value] of changes) {
    if (value === undefined) result.delete(key)
    else result.set(key, value)
  }
  return result
}

const unchanged = <T>(value: T): T => value

/** Makes a passkey. What options it is asked with decides what it says, but for what a ceremony is told to change. */
export const createVirtualPasskey = (options: VirtualPasskeyOptions = {}): VirtualPasskey => {
  const {
    algorithm = 'ES256',
    keyPair = generateDeviceKeyPair(algorithm),
    origin = 'http://localhost:4000',
    credentialId = systemRandom.bytes(32),
    aaguid = new Uint8Array(16),
    transports = ['hybrid', 'internal'],
    verifiesUser = true,
    backupEligible = true,
    backedUp = backupEligible,
    counts = false,
    discoverable = true,
  } = options
  const id = toBase64Url(credentialId)
  let userHandle: string | undefined
  let signatures = 0

  const clientDataOf = (type: string, challenge: string, changes: CeremonyChanges): Uint8Array => {
    const members = { type, challenge, origin, crossOrigin: false, ...changes.clientData }
    return (changes.clientDataBytes ?? unchanged)(Buffer.from(JSON.stringify(members)))
  }

  const authenticatorDataOf = (rpId: string, attested: Uint8Array, changes: CeremonyChanges): Uint8Array => {
    if (counts) signatures += 1
    const extensions = changes.extensions === undefined ? new Uint8Array() : encodeCbor(changes.extensions)
    const flags: AuthenticatorFlags = {
      userPresent: true,
      userVerified: verifiesUser,
      backupEligible,
      backedUp,
      attestedCredential: attested.length > 0,
      extensions: extensions.length > 0,
      ...changes.flags,
    }
    const head = [sha256(changes.rpId ?? rpId), Buffer.of(flagByte(flags)), uint(changes.signCount ?? signatures, 4)]
    return (changes.authenticatorDataBytes ?? unchanged)(Buffer.concat([...head, attested, extensions]))
  }

  const signatureOf = (authenticatorData: Uint8Array, clientData: Uint8Array, changes: CeremonyChanges): Uint8Array => {
    const signed = Buffer.concat([authenticatorData, sha256(clientData)])
    const signature = sign('sha256', signed, changes.signingKey ?? keyPair.privateKey)
    return changes.signature === undefined ? signature : changes.signature(signature, signed)
  }

  return {
    id,
    keyPair,
    get userHandle() {
      return userHandle
    },

    create: ({ challenge, rp, user }, changes = {}) => {
      userHandle = user.id
      const clientData = clientDataOf('webauthn.create', challenge, changes)
      const keyChanges = Object.entries(changes.coseKey ?? {}).map(([label, value]) => [Number(label), value] as const)
      const coseKey = changed(coseLabelsOf(algorithm, keyPair.publicKey), keyChanges)
      const attestedId = changes.attestedId ?? credentialId
      const attested = Buffer.concat([aaguid, uint(attestedId.length, 2), attestedId, encodeCbor(coseKey)])
      const authenticatorData = authenticatorDataOf(rp.id, attested, changes)

      const { attestation = 'none' } = changes
      const own: [string, CborValue][] =
        attestation === 'none'
          ? []
          : [
              ['alg', coseAlgorithms[algorithm]],
              ['sig', new Uint8Array(signatureOf(authenticatorData, clientData, changes))],
            ]
      const attestationObject = new Map<string, CborValue>([
        ['fmt', changes.format ?? attestation],
        ['attStmt', changed(own, Object.entries(changes.statement ?? {}))],
        ['authData', new Uint8Array(authenticatorData)],
      ])
      return {
        id,
        rawId: id,
        type: 'public-key',
        response: {
          clientDataJSON: toBase64Url(clientData),
          attestationObject: toBase64Url((changes.attestationObjectBytes ?? unchanged)(encodeCbor(attestationObject))),
          transports: [...transports],
        },
        clientExtensionResults: { credProps: { rk: discoverable } },
      }
    },

    get: ({ challenge, rpId }, changes = {}) => {
      const clientData = clientDataOf('webauthn.get', challenge, changes)
      const authenticatorData = authenticatorDataOf(rpId, new Uint8Array(), changes)
      const handle = changes.userHandle === undefined ? userHandle : changes.userHandle
      return {
        id,
        rawId: id,
        type: 'public-key',
        response: {
          clientDataJSON: toBase64Url(clientData),
          authenticatorData: toBase64Url(authenticatorData),
          signature: toBase64Url(signatureOf(authenticatorData, clientData, changes)),
          ...(typeof handle === 'string' && { userHandle: handle }),
        },
      }
    },
  }
}
