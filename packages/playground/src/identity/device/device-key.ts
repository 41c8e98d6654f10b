import { toBase64 } from '../../shared/base64.ts'

/** Writes a public key in SPKI form as PEM text (RFC 7468 §13), with lines of 64 characters. */
const toSpkiPem = (spki: ArrayBuffer): string => {
  const lines = toBase64(spki).match(/.{1,64}/g) ?? []
  return ['-----BEGIN PUBLIC KEY-----', ...lines, '-----END PUBLIC KEY-----', ''].join('\n')
}

/** This browser as a device: its key, and the device's id at the service. IndexedDB can store a key that no script can read. */
export interface DeviceKey {
  /** P-256; not even this page can read the private key. */
  readonly privateKey: CryptoKey
  /** SPKI in PEM. */
  readonly publicKey: string
  readonly deviceName: string
  readonly deviceFingerprint: string
  readonly deviceId: string
}

const ES256 = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const

/** Makes an ES256 key pair. The private key can sign and cannot be exported. */
export const generateKey = async (): Promise<Pick<DeviceKey, 'privateKey' | 'publicKey'>> => {
  const { privateKey, publicKey } = await crypto.subtle.generateKey(ES256, false, ['sign', 'verify'])
  return { privateKey, publicKey: toSpkiPem(await crypto.subtle.exportKey('spki', publicKey)) }
}

/** Signs the bytes of the challenge text, as base64 (r‖s, RFC 7518 §3.4). */
export const signChallenge = async ({ privateKey }: Pick<DeviceKey, 'privateKey'>, challenge: string): Promise<string> =>
  toBase64(await crypto.subtle.sign(ES256, privateKey, new TextEncoder().encode(challenge)))
