import { readCbor, readFirstCbor } from './cbor.ts'

/** Where what may follow begins: after the hash of the relying party's id, the flags and the count (WebAuthn Level 3 §6.1). */
const HEAD_BYTES = 37
/** The model of the authenticator, before the length of the credential id (§6.5.1). */
const AAGUID_BYTES = 16
const LENGTH_BYTES = 2

/** Whether these are extension outputs: one map, or nothing. Whether they should be there is for the flags to say. */
const areExtensions = (bytes: Uint8Array): boolean => bytes.length === 0 || readCbor(bytes) instanceof Map

/** Whether authenticator data of an assertion ends in nothing but extension outputs that are exactly written. */
export const isExactAssertion = (authenticatorData: Uint8Array): boolean =>
  authenticatorData.length >= HEAD_BYTES && areExtensions(authenticatorData.subarray(HEAD_BYTES))

/**
 * Whether authenticator data of a registration ends in a credential whose key is exactly written, and then nothing but
 * extension outputs that are.
 */
export const isExactCreation = (authenticatorData: Uint8Array): boolean => {
  const idLengthAt = HEAD_BYTES + AAGUID_BYTES
  const idAt = idLengthAt + LENGTH_BYTES
  if (authenticatorData.length < idAt) return false
  const [high = 0, low = 0] = authenticatorData.subarray(idLengthAt, idAt)
  const key = readFirstCbor(authenticatorData.subarray(idAt + high * 256 + low))
  return key !== undefined && areExtensions(key.rest)
}
