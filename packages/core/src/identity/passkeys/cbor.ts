import { isoCBOR } from '@simplewebauthn/server/helpers'

/**
 * Reads the first CBOR item (RFC 8949), in the exact encoding that authenticators must use (WebAuthn Level 3 §2, "CTAP2 canonical
 * CBOR encoding form"), except for the order of map members; otherwise `undefined`. The library accepts more, so the item is
 * encoded again and compared. Text beyond ASCII counts as inexact, but no structure that is read here contains any.
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
