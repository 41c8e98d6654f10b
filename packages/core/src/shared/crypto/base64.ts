/** Strict base64 (RFC 4648 §4, §5). Each value has exactly one text in each alphabet, with padding and without. */

/** Encodes as standard base64 with padding. */
export const toBase64 = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64')

/** Encodes as base64url without padding. */
export const toBase64Url = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64url')

/** Decodes base64url without padding. Returns `undefined` for any other text, also for non-zero unused bits (§3.5). */
export const fromBase64Url = (text: string): Uint8Array | undefined => {
  const bytes = Buffer.from(text, 'base64url')
  // Node's decoder accepts malformed text. Encoding the result again shows whether the text was well-formed.
  return bytes.toString('base64url') === text ? bytes : undefined
}

/** Returns how an error describes the base64 that a text should have been. Android's `Base64.DEFAULT` breaks lines. */
export const base64Takes = (text: string): string =>
  /\s/.test(text)
    ? 'base64 or base64url without line breaks or other white space (in Android: Base64.NO_WRAP)'
    : 'base64 or base64url'

/** Decodes base64 or base64url, with padding or without. Returns `undefined` for anything else, also for non-zero unused bits. */
export const fromAnyBase64 = (text: string): Uint8Array | undefined => {
  const unpadded = text.endsWith('==') ? text.slice(0, -2) : text.endsWith('=') ? text.slice(0, -1) : text
  if (unpadded.length !== text.length && text.length % 4 !== 0) return undefined
  const standard = /[+/]/.test(unpadded)
  if (standard && /[-_]/.test(unpadded)) return undefined
  const url = standard ? unpadded.replaceAll('+', '-').replaceAll('/', '_') : unpadded
  return fromBase64Url(url)
}
