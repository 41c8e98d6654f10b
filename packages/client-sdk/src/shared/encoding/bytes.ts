/** Bytes that WebCrypto takes. TypeScript has had a type parameter for this only since 5.7, and apps may use 5.6. */
export type Bytes = Uint8Array & { readonly buffer: ArrayBuffer }

/** Decodes base64 or base64url into a binary string, one character for each byte. */
export const binaryOf = (text: string): string => atob(text.replaceAll('-', '+').replaceAll('_', '/'))

export const fromBase64 = (text: string): Bytes => Uint8Array.from(binaryOf(text), (character) => character.charCodeAt(0))

/** Encodes bytes as padded standard base64. */
export const toBase64 = (bytes: ArrayBuffer | Uint8Array): string =>
  btoa(Array.from(new Uint8Array(bytes), (byte) => String.fromCharCode(byte)).join(''))

/** Encodes bytes as base64url without padding (RFC 4648 §5). */
export const toBase64Url = (bytes: ArrayBuffer | Uint8Array): string =>
  toBase64(bytes).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')

export const utf8 = (text: string): Bytes => new TextEncoder().encode(text)
