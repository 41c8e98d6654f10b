import { toBase64, utf8 } from '../../shared/encoding/bytes.ts'
import { webCrypto } from '../../shared/platform.ts'
import type { DeviceSigner } from './device-signer.ts'

/** The platform's own type of `CryptoKey`: the type of browsers, or of Node. */
type PlatformKey = Parameters<typeof globalThis.crypto.subtle.exportKey>[1]

/** An ECDSA key pair on P-256 of WebCrypto. The private key may be non-extractable. */
export interface SigningKeyPair {
  readonly privateKey: PlatformKey
  readonly publicKey: PlatformKey
}

/** A key pair that the caller keeps, and the name of the device. */
export interface KeyPairSigner {
  /** Names the device for the service: at most 255 characters, the same for the whole life of the key. */
  readonly deviceFingerprint: string
  readonly keyPair: SigningKeyPair
}

/** ES256 (RFC 7518 §3.4). */
export const KEY = { name: 'ECDSA', namedCurve: 'P-256' } as const
const SIGNATURE = { name: 'ECDSA', hash: 'SHA-256' } as const

/** Makes a new key pair for `keyPairSigner`. A program can use and store a non-extractable key, but never read it. */
export const generateSigningKeyPair = async (extractable: boolean): Promise<SigningKeyPair> =>
  webCrypto().generateKey(KEY, extractable, ['sign', 'verify'])

/** Makes a signer from a key pair that the caller keeps, on any platform with WebCrypto. */
export const keyPairSigner = ({ deviceFingerprint, keyPair }: KeyPairSigner): DeviceSigner => ({
  deviceFingerprint,
  keyAlgorithm: 'ES256',
  publicKey: async () => {
    const spki = toBase64(await webCrypto().exportKey('spki', keyPair.publicKey))
    return `-----BEGIN PUBLIC KEY-----\n${spki.replace(/.{1,64}/g, '$&\n')}-----END PUBLIC KEY-----\n`
  },
  sign: async (challenge) => toBase64(await webCrypto().sign(SIGNATURE, keyPair.privateKey, utf8(challenge))),
})
