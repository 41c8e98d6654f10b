import { createHash, type KeyObject, sign } from 'node:crypto'
import type { Input, Output } from '@countersign/contract'
import { isoCBOR } from '@simplewebauthn/server/helpers'
import { toBase64Url } from '../shared/crypto/base64.ts'
import { systemRandom } from '../shared/random.ts'
import { type DeviceKeyPair, generateDeviceKeyPair } from './test-device.ts'

/** The options of `navigator.credentials.create()` as JSON. */
export type CreationOptions = Output<'passkeys.beginRegistration'>['publicKey']
/** The options of `navigator.credentials.get()` as JSON. */
export type RequestOptions = Output<'passkeys.beginLogin'>['publicKey']
/** The result of `toJSON()` of a new credential. */
export type CreatedCredentialJson = Input<'passkeys.finishRegistration'>['credential']
/** The result of `toJSON()` of an assertion. */
export type AssertedCredentialJson = Input<'passkeys.finishLogin'>['credential']

/** The flags of authenticator data (WebAuthn Level 3 §6.1). */
export interface AuthenticatorFlags {
  readonly userPresent: boolean
  readonly userVerified: boolean
  readonly backupEligible: boolean
  readonly backedUp: boolean
  /** `true` where the flags announce a credential. Right by default. */
  readonly attestedCredential: boolean
  /** `true` where the flags announce extensions. Right by default. */
  readonly extensions: boolean
}

/** The CBOR values that authenticators write. */
export type CborValue =
  | string
  | number
  | boolean
  | null
  | Uint8Array
  | readonly CborValue[]
  | ReadonlyMap<string | number, CborValue>

/**
 * Changes of one ceremony. The changed data is signed, so that a test can violate each step of the verification separately. A test
 * changes data that is not signed in the returned credential.
 */
export interface CeremonyChanges {
  /** Members of the client data. `undefined` removes a member. The default has type, challenge, origin and `crossOrigin: false`. */
  readonly clientData?: Readonly<Record<string, unknown>>
  /** Changes the bytes of the client data before they are hashed. */
  readonly clientDataBytes?: (bytes: Uint8Array) => Uint8Array
  /** The relying party whose hash the authenticator data holds. The relying party of the options by default. */
  readonly rpId?: string
  readonly flags?: Partial<AuthenticatorFlags>
  readonly signCount?: number
  /** Extension outputs of the authenticator. None by default. */
  readonly extensions?: CborValue
  /** Changes the authenticator data before it is signed. */
  readonly authenticatorDataBytes?: (bytes: Uint8Array) => Uint8Array
  /** Signs with this key instead of the passkey's key. */
  readonly signingKey?: KeyObject
  /** Changes the signature of an assertion or of a self attestation. Also receives the signed data. */
  readonly signature?: (signature: Uint8Array, signed: Uint8Array) => Uint8Array
}

export interface CreationChanges extends CeremonyChanges {
  /** `packed` means self attestation. `none` by default. */
  readonly attestation?: 'none' | 'packed'
  /** Replaces `fmt` of the attestation object. */
  readonly format?: string
  /** Members of the attestation statement. `undefined` removes a member. */
  readonly statement?: Readonly<Record<string, CborValue | undefined>>
  /** Labels of the COSE key. `undefined` removes a label. */
  readonly coseKey?: Readonly<Record<number, CborValue | undefined>>
  /** Replaces the credential id in the authenticator data. */
  readonly attestedId?: Uint8Array
  /** Changes the bytes of the attestation object. */
  readonly attestationObjectBytes?: (bytes: Uint8Array) => Uint8Array
}

export interface AssertionChanges extends CeremonyChanges {
  /** Replaces the user handle (base64url); `null` removes it. */
  readonly userHandle?: string | null
}

export interface VirtualPasskeyOptions {
  readonly algorithm?: 'ES256' | 'RS256'
  /** An existing key pair. RSA keys are slow to make. */
  readonly keyPair?: DeviceKeyPair
  /** The origin of the page. `http://localhost:4000` by default. */
  readonly origin?: string
  /** 32 random bytes by default. */
  readonly credentialId?: Uint8Array
  /** 16 bytes. Zeros by default, like browsers with attestation `none`. */
  readonly aaguid?: Uint8Array
  readonly transports?: readonly string[]
  /** Makes the passkey verify its user. `true` by default. */
  readonly verifiesUser?: boolean
  /** Allows backups of the passkey. `true` by default. */
  readonly backupEligible?: boolean
  readonly backedUp?: boolean
  /** Makes the passkey count its signatures from 1. By default the count is always 0, like that of synced passkeys. */
  readonly counts?: boolean
  /** Makes the passkey discoverable without an email. `true` by default. */
  readonly discoverable?: boolean
}

/** A passkey and its browser in software. Answers all options, also options that do not allow this passkey. */
export interface VirtualPasskey {
  /** The credential id as base64url. */
  readonly id: string
  readonly keyPair: DeviceKeyPair
  /** The user handle of the last `create`, as base64url. */
  readonly userHandle: string | undefined
  /** Creates the credential like `navigator.credentials.create()` and `toJSON()`. */
  create(options: CreationOptions, changes?: CreationChanges): CreatedCredentialJson
  /** Signs a challenge like `navigator.credentials.get()` and `toJSON()`. */
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

/** Applies changes to entries. `undefined` removes an entry. */
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

/** Makes a passkey. The options of a ceremony decide its answer, except for `changes`. */
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
