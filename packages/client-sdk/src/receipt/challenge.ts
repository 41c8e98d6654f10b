import { fromBase64, toBase64, utf8 } from '../shared/encoding/bytes.ts'
import { canonicalJson } from '../shared/encoding/canonical-json.ts'
import { isObject, type Members } from './strict-text.ts'

/** Returns the members of a canonical JSON object (RFC 8785); `undefined` for any other text. */
export const canonicalMembers = (text: unknown): Members | undefined => {
  try {
    const value: unknown = JSON.parse(text as string)
    return typeof text === 'string' && isObject(value) && canonicalJson(value) === text ? value : undefined
  } catch {
    return undefined
  }
}

/** Returns whether the text is 64 bytes as padded base64, the form of nonces and challenges. */
export const is64Bytes = (text: unknown): text is string => {
  if (typeof text !== 'string' || !/^[A-Za-z0-9+/]{86}==$/.test(text)) return false
  return toBase64(fromBase64(text).buffer) === text
}

/** Returns whether the challenge is SHA-512 over the domain, a zero byte, the nonce and the text. */
export const commitsTo = async (
  subtle: SubtleCrypto,
  challenge: string,
  { domain, nonce, text }: { readonly domain: string; readonly nonce: string; readonly text: string },
): Promise<boolean> => {
  const bytes = new Uint8Array([...utf8(`${domain}\0`), ...fromBase64(nonce), ...utf8(text)])
  return toBase64(await subtle.digest('SHA-512', bytes)) === challenge
}
