import type { KeyObject } from 'node:crypto'
import type { Input, Output } from '@countersign/contract'
import type { DeviceKeyPair } from './test-device.ts'

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
  /** `true` if the flags announce a credential. Right by default. */
  readonly attestedCredential: boolean
  /** `true` if the flags announce extensions. Right by default. */
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
 * Changes of one ceremony. They are made before the signature, so that the signature is right and a test can violate each other
 * step of the verification separately. Data that no signature covers is changed by the test itself, in the returned credential.
 */
export interface CeremonyChanges {
  /** Members of the client data. `undefined` removes a member. The default has type, challenge, origin and `crossOrigin: false`. */
  readonly clientData?: Readonly<Record<string, unknown>>
  /** Changes the bytes of the client data before they are hashed. */
  readonly clientDataBytes?: (bytes: Uint8Array) => Uint8Array
  /** The relying party whose hash is in the authenticator data. The relying party of the options by default. */
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
  /** Makes the passkey count its signatures from 1. By default the count is always 0, as with synced passkeys. */
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
