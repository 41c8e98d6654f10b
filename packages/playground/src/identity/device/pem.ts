import { toBase64 } from '../../shared/base64.ts'

/** Writes a public key in SPKI form as PEM text (RFC 7468 §13), with lines of 64 characters. */
export const toSpkiPem = (spki: ArrayBuffer): string => {
  const lines = toBase64(spki).match(/.{1,64}/g) ?? []
  return ['-----BEGIN PUBLIC KEY-----', ...lines, '-----END PUBLIC KEY-----', ''].join('\n')
}
