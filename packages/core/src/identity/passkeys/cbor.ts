import { isoCBOR } from '@simplewebauthn/server/helpers'

/**
 * Reads the first CBOR item (RFC 8949) of the bytes. The item must have the encoding that authenticators must use (WebAuthn
 * Level 3 §2, "CTAP2 canonical CBOR encoding form"): shortest lengths, no indefinite lengths, no duplicate keys. Map members
 * may have any order. Returns `undefined` for any other encoding.
 *
 * The decoder of the library accepts wrong lengths and longer forms, and ignores trailing bytes. So this function encodes the
 * item again and compares the bytes. Text beyond ASCII counts as inexact, because the library encodes it differently. The
 * structures that are read here contain no such text.
 */
export const readFirstCbor = (bytes: Uint8Array): { readonly item: unknown; readonly rest: Uint8Array } | undefined => {
  try {
    const item: unknown = isoCBOR.decodeFirst(new Uint8Array(bytes))
    const written = isoCBOR.encode(item as Parameters<typeof isoCBOR.encode>[0])
    if (Buffer.compare(written, bytes.subarray(0, written.length)) !== 0) return undefined
    return { item, rest: bytes.subarray(written.length) }
  } catch {
    // The bytes are not CBOR, or are nested too deeply for the stack.
    return undefined
  }
}

/** Reads bytes that consist of exactly one CBOR item, by the same rules. */
export const readCbor = (bytes: Uint8Array): unknown => {
  const read = readFirstCbor(bytes)
  return read?.rest.length === 0 ? read.item : undefined
}
