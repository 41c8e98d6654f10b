import { createHash } from 'node:crypto'
import type { UserVerificationRequirement } from '@countersign/contract'
import { parseAuthenticatorData } from '@simplewebauthn/server/helpers'
import type { RelyingParty } from '../options.ts'
import type { PasskeyRefusal } from '../refusals.ts'
import { readCbor, readFirstCbor } from './cbor.ts'

export type AuthenticatorData = ReturnType<typeof parseAuthenticatorData>

/** Reads authenticator data (WebAuthn Level 3 §6.1); `undefined` if the flags do not fit the content. */
export const readAuthenticatorData = (bytes: Uint8Array): AuthenticatorData | undefined => {
  try {
    return parseAuthenticatorData(new Uint8Array(bytes))
  } catch {
    // The error of the library repeats the request.
    return undefined
  }
}

/**
 * Returns the first reason against the relying party and the flags; user presence is always required (WebAuthn Level 3 §7.1, steps
 * 14 to 18; §7.2, steps 15 to 19).
 */
export const authenticatorRefusal = (
  relyingParty: Pick<RelyingParty, 'id'>,
  userVerification: UserVerificationRequirement,
  { rpIdHash, flags }: AuthenticatorData,
): PasskeyRefusal | undefined => {
  if (!createHash('sha256').update(relyingParty.id).digest().equals(rpIdHash)) return 'relying_party'
  if (!flags.up) return 'user_presence'
  if (userVerification === 'required' && !flags.uv) return 'user_verification'
  return flags.bs && !flags.be ? 'backup_flags' : undefined
}

/** The length of the fixed head: the hash of the relying party id, the flags and the counter (WebAuthn Level 3 §6.1). */
const HEAD_BYTES = 37
/** The length of the AAGUID, which precedes the length of the credential id (§6.5.1). */
const AAGUID_BYTES = 16
const LENGTH_BYTES = 2

/** Returns whether the bytes are extension outputs: one map, or nothing. The flags say whether extensions should be present. */
const areExtensions = (bytes: Uint8Array): boolean => bytes.length === 0 || readCbor(bytes) instanceof Map

/** Returns whether the authenticator data of an assertion has an exact encoding. Only extension outputs may follow the head. */
export const isExactAssertion = (authenticatorData: Uint8Array): boolean =>
  authenticatorData.length >= HEAD_BYTES && areExtensions(authenticatorData.subarray(HEAD_BYTES))

/** Returns whether the authenticator data of a registration is exact: an exact key, followed only by extension outputs. */
export const isExactCreation = (authenticatorData: Uint8Array): boolean => {
  const idLengthAt = HEAD_BYTES + AAGUID_BYTES
  const idAt = idLengthAt + LENGTH_BYTES
  if (authenticatorData.length < idAt) return false
  const [high = 0, low = 0] = authenticatorData.subarray(idLengthAt, idAt)
  const key = readFirstCbor(authenticatorData.subarray(idAt + high * 256 + low))
  return key !== undefined && areExtensions(key.rest)
}

/** Reads an attestation object; `undefined` if the encoding is not exact, including the key and the extension outputs. */
export const readAttestationObject = (bytes: Uint8Array) => {
  const object = readCbor(bytes)
  if (!(object instanceof Map)) return undefined
  const members: ReadonlyMap<unknown, unknown> = object
  const [format, statement, authenticatorData] = [members.get('fmt'), members.get('attStmt'), members.get('authData')]
  if (typeof format !== 'string' || !(statement instanceof Map) || !(authenticatorData instanceof Uint8Array)) return undefined
  const attested = { format, statement: statement as ReadonlyMap<unknown, unknown>, authenticatorData }
  return isExactCreation(authenticatorData) ? attested : undefined
}

/** The attestation object of a new passkey (WebAuthn Level 3 §6.5.4). */
export type AttestationObject = NonNullable<ReturnType<typeof readAttestationObject>>
