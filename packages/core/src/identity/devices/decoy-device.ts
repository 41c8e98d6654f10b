import { createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto'
import type { KeyAlgorithm } from '@countersign/contract'
import { toBase64Url } from '../../shared/crypto/base64.ts'
import { decoyRsaModulus } from '../../shared/crypto/decoy-rsa-modulus.ts'
import { toSpkiPem } from '../../shared/crypto/device-key.ts'
import { drawsOf, type Shares } from '../decoys/draw.ts'
import type { DeviceKey } from './device-signature.ts'

/** The assumed shares of devices by algorithm. */
const shares: Shares<{ readonly algorithm: KeyAlgorithm }> = [
  { algorithm: 'ES256', share: 0.75 },
  { algorithm: 'RS256', share: 0.2 },
  { algorithm: 'PS256', share: 0.05 },
]

const makeKey = (algorithm: KeyAlgorithm): KeyObject =>
  algorithm === 'ES256'
    ? generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey
    : createPublicKey({ key: { kty: 'RSA', n: toBase64Url(decoyRsaModulus()), e: 'AQAB' }, format: 'jwk' })

const decoys = new Map<KeyAlgorithm, DeviceKey>()

const decoyOf = (keyAlgorithm: KeyAlgorithm): DeviceKey => {
  const decoy = decoys.get(keyAlgorithm) ?? { publicKey: toSpkiPem(makeKey(keyAlgorithm)), keyAlgorithm }
  decoys.set(keyAlgorithm, decoy)
  return decoy
}

/**
 * Returns a device that no user has. A signature is checked with its key if no device of a fingerprint can answer, so that the
 * work is the same. The algorithm is constant for one fingerprint.
 */
export const decoyDevice = (key: Uint8Array, fingerprint: string): DeviceKey =>
  decoyOf(drawsOf(key, fingerprint).one('algorithm', shares).algorithm)
