import { toBase64 } from '../../shared/encoding/base64.ts'
import { webCrypto } from '../../shared/encoding/web-crypto.ts'
import type { DeviceSigner } from './device-signer.ts'

/** `CryptoKey`, of which the platform's own types know: those of browsers, or of Node. */
type PlatformKey = Parameters<typeof globalThis.crypto.subtle.exportKey>[1]

/** An ECDSA key pair on P-256 of WebCrypto; the private half need not be extractable. */
export interface SigningKeyPair {
  readonly privateKey: PlatformKey
  readonly publicKey: PlatformKey
}

/** What `keyPairSigner` signs with: a key pair that the caller keeps, and by which name the service knows the device. */
export interface KeyPairSigner {
  /** Names the device towards the service: at most 255 characters, the same for as long as the key lives. */
  readonly deviceFingerprint: string
  readonly keyPair: SigningKeyPair
}

/** ES256 (RFC 7518 §3.4). */
export const KEY = { name: 'ECDSA', namedCurve: 'P-256' } as const
const SIGNATURE = { name: 'ECDSA', hash: 'SHA-256' } as const

/** A fresh key pair for `keyPairSigner`. One that is not extractable can be used and stored, but never read. */
export const generateSigningKeyPair = async (extractable: boolean): Promise<SigningKeyPair> =>
  webCrypto().generateKey(KEY, extractable, ['sign', 'verify'])

/** A signer over a key pair that the caller keeps, wherever there is WebCrypto. */
export const keyPairSigner = ({ deviceFingerprint, keyPair }: KeyPairSigner): DeviceSigner => ({
  deviceFingerprint,
  keyAlgorithm: 'ES256',
  publicKey: async () => {
    const spki = toBase64(await webCrypto().exportKey('spki', keyPair.publicKey))
    return `-----BEGIN PUBLIC KEY-----\n${spki.replace(/.{1,64}/g, '$&\n')}-----END PUBLIC KEY-----\n`
  },
  sign: async (challenge) => toBase64(await webCrypto().sign(SIGNATURE, keyPair.privateKey, new TextEncoder().encode(challenge))),
})
