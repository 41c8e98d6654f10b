import { isoCBOR } from '@simplewebauthn/server/helpers'

/**
 * Reads one CBOR item (RFC 8949) at the beginning of the bytes, where it is written as authenticators must write it (WebAuthn
 * Level 3 §2, "CTAP2 canonical CBOR encoding form"): lengths in their shortest form and true, nothing of indefinite length,
 * no key twice. The members of a map may have any order, as it means nothing. `undefined` for anything else.
 *
 * The library's reader cuts a length that says too much, takes longer forms, and passes over what follows; so the item is
 * written again and compared. Text beyond ASCII counts as not exact, because the library writes it otherwise: nothing that
 * is read here has any.
 */
export const readFirstCbor = (bytes: Uint8Array): { readonly item: unknown; readonly rest: Uint8Array } | undefined => {
  try {
    const item: unknown = isoCBOR.decodeFirst(new Uint8Array(bytes))
    const written = isoCBOR.encode(item as Parameters<typeof isoCBOR.encode>[0])
    if (Buffer.compare(written, bytes.subarray(0, written.length)) !== 0) return undefined
    return { item, rest: bytes.subarray(written.length) }
  } catch {
    // Bytes that are no CBOR, or are nested deeper than the stack goes.
    return undefined
  }
}

/** Reads bytes that are one CBOR item and nothing else, by the same rules. */
export const readCbor = (bytes: Uint8Array): unknown => {
  const read = readFirstCbor(bytes)
  return read?.rest.length === 0 ? read.item : undefined
}
