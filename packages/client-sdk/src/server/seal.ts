import { type Bytes, fromBase64, toBase64Url, utf8 } from '../shared/encoding/bytes.ts'
import { hkdfSha256 } from '../shared/encoding/hkdf.ts'
import { webCrypto } from '../shared/platform.ts'

/** The only header that a sealed text can have. It says for what the text was made, and AES-GCM authenticates it. */
const HEADER = toBase64Url(utf8(JSON.stringify({ alg: 'dir', enc: 'A256GCM', typ: 'countersign-server-session' })))

/** The lengths of the initialization vector and the tag, in bytes. */
const IV = 12
const TAG = 16

const parameters = (iv: Bytes) => ({ name: 'AES-GCM', iv, additionalData: utf8(HEADER) })

/** Decodes base64url whose last character has no other bits set, so that no second text opens (RFC 4648 §3.5). */
const exactBytes = (text: string): Bytes => {
  const bytes = fromBase64(text)
  if (toBase64Url(bytes) !== text) throw new TypeError('not the base64url of these bytes')
  return bytes
}

/** Derives the key that seals the cookie of a name. A cookie of another name does not open under this key. */
const keyOf = async (secret: string, name: string): Promise<CryptoKey> => {
  const key = await hkdfSha256(utf8(secret), utf8(''), utf8(`countersign/v1/server-session/${name}`), 32)
  return webCrypto().importKey('raw', key, 'AES-GCM', false, ['encrypt', 'decrypt'])
}

/** Encrypts a text, as a compact JSON Web Encryption with a direct key (RFC 7516, `dir` and `A256GCM`). */
export const seal = async (text: string, secret: string, name: string): Promise<string> => {
  const iv = crypto.getRandomValues(new Uint8Array(IV))
  const sealed = await webCrypto().encrypt(parameters(iv), await keyOf(secret, name), utf8(text))
  return [HEADER, '', iv, sealed.slice(0, -TAG), sealed.slice(-TAG)]
    .map((part) => (typeof part === 'string' ? part : toBase64Url(part)))
    .join('.')
}

/** Decrypts a text that was sealed under one of the secrets. `undefined` for any other text. */
export const open = async (sealed: string, secrets: readonly string[], name: string): Promise<string | undefined> => {
  const [header, key, iv = '', text = '', tag = '', rest] = sealed.split('.')
  if (header !== HEADER || key !== '' || rest !== undefined) return undefined
  for (const secret of secrets) {
    try {
      const bytes = new Uint8Array([...exactBytes(text), ...exactBytes(tag)])
      const opened = await webCrypto().decrypt(parameters(exactBytes(iv)), await keyOf(secret, name), bytes)
      return new TextDecoder().decode(opened)
    } catch {
      // Another secret, or a changed text.
    }
  }
  return undefined
}
