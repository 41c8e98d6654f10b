/** Encodes bytes as padded standard base64 (RFC 4648 §4), as the contract writes challenges and signatures. */
export const toBase64 = (bytes: Uint8Array | ArrayBuffer): string =>
  btoa(Array.from(new Uint8Array(bytes), (byte) => String.fromCharCode(byte)).join(''))

/** Decodes padded standard base64. */
export const fromBase64 = (text: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
