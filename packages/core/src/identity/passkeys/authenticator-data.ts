import { readCbor, readFirstCbor } from './cbor.ts'

/** The length of the fixed head: the hash of the relying party id, the flags and the counter (WebAuthn Level 3 §6.1). */
const HEAD_BYTES = 37
/** The length of the AAGUID, which precedes the length of the credential id (§6.5.1). */
const AAGUID_BYTES = 16
const LENGTH_BYTES = 2

/** Returns whether the bytes are extension outputs: one map, or nothing. The flags tell whether extensions should be present. */
const areExtensions = (bytes: Uint8Array): boolean => bytes.length === 0 || readCbor(bytes) instanceof Map

/** Returns whether the authenticator data of an assertion has an exact encoding. Only extension outputs may follow the head. */
export const isExactAssertion = (authenticatorData: Uint8Array): boolean =>
  authenticatorData.length >= HEAD_BYTES && areExtensions(authenticatorData.subarray(HEAD_BYTES))

/**
 * Returns whether the authenticator data of a registration has an exact encoding. The credential key must be exact, and only
 * extension outputs may follow.
 */
export const isExactCreation = (authenticatorData: Uint8Array): boolean => {
  const idLengthAt = HEAD_BYTES + AAGUID_BYTES
  const idAt = idLengthAt + LENGTH_BYTES
  if (authenticatorData.length < idAt) return false
  const [high = 0, low = 0] = authenticatorData.subarray(idLengthAt, idAt)
  const key = readFirstCbor(authenticatorData.subarray(idAt + high * 256 + low))
  return key !== undefined && areExtensions(key.rest)
}
