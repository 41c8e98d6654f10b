/** Strict base64 (RFC 4648 §4, §5): a value has exactly one text in each alphabet, padded or not; anything else is refused. */

/** Padded standard base64. */
export const toBase64 = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64')

/** base64url without padding. */
export const toBase64Url = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64url')

/** Decodes base64url without padding; `undefined` where the text is not exactly that, non-zero tail bits included (§3.5). */
export const fromBase64Url = (text: string): Uint8Array | undefined => {
  const bytes = Buffer.from(text, 'base64url')
  // Node's decoder forgives; encoding again shows whether there was anything to forgive.
  return bytes.toString('base64url') === text ? bytes : undefined
}

/** Decodes either alphabet, padded or not; `undefined` for mixed alphabets, white space, bad padding and non-zero tail bits. */
export const fromAnyBase64 = (text: string): Uint8Array | undefined => {
  const unpadded = text.endsWith('==') ? text.slice(0, -2) : text.endsWith('=') ? text.slice(0, -1) : text
  if (unpadded.length !== text.length && text.length % 4 !== 0) return undefined
  const standard = /[+/]/.test(unpadded)
  if (standard && /[-_]/.test(unpadded)) return undefined
  const url = standard ? unpadded.replaceAll('+', '-').replaceAll('/', '_') : unpadded
  return fromBase64Url(url)
}
