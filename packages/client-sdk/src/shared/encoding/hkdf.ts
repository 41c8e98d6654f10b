import { webCrypto } from '../platform.ts'
import type { Bytes } from './bytes.ts'

/** Derives bytes from a secret key with HKDF-SHA256 (RFC 5869). @throws CountersignError `UNSUPPORTED` without WebCrypto */
export const hkdfSha256 = async (key: Bytes, salt: Bytes, info: Bytes, length: number): Promise<ArrayBuffer> => {
  const crypto = webCrypto()
  const secret = await crypto.importKey('raw', key, 'HKDF', false, ['deriveBits'])
  return crypto.deriveBits({ name: 'HKDF', hash: 'SHA-256', salt, info }, secret, 8 * length)
}
