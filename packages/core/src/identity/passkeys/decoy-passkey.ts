import { generateKeyPairSync } from 'node:crypto'
import type { PasskeyAlgorithm } from '@countersign/contract'
import { isoCBOR } from '@simplewebauthn/server/helpers'
import { toBase64Url } from '../../shared/crypto/base64.ts'
import { decoyRsaModulus } from '../../shared/crypto/decoy-rsa-modulus.ts'
import { type AnsweringPasskey, coseAlgorithms } from '../records/passkey.ts'

type Labels = [number, number | Uint8Array][]

/** Creates the COSE_Key of a new key on P-256 (RFC 9053 §7.1.1). */
const ecLabels = (): Labels => {
  const { x = '', y = '' } = generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey.export({ format: 'jwk' })
  return [
    [1, 2],
    [3, coseAlgorithms.ES256],
    [-1, 1],
    [-2, Buffer.from(x, 'base64url')],
    [-3, Buffer.from(y, 'base64url')],
  ]
}

/** Creates the COSE_Key of an RSA key with an unknown private key (RFC 8230 §4). */
const rsaLabels = (): Labels => [
  [1, 3],
  [3, coseAlgorithms.RS256],
  [-1, decoyRsaModulus()],
  [-2, Uint8Array.of(1, 0, 1)],
]

const makeDecoy = (algorithm: PasskeyAlgorithm): AnsweringPasskey => ({
  id: '',
  userId: 0,
  userHandle: '',
  publicKey: toBase64Url(isoCBOR.encode(new Map(algorithm === coseAlgorithms.ES256 ? ecLabels() : rsaLabels()))),
  algorithm,
  signCount: 0,
  backupEligible: false,
  createdAt: 0,
  tenants: null,
})

const decoys = new Map<PasskeyAlgorithm, AnsweringPasskey>()

/** Returns a passkey that no user has, whose key checks a signature if no passkey may answer, so that the work is the same. */
export const decoyPasskey = (algorithm: PasskeyAlgorithm): AnsweringPasskey => {
  const decoy = decoys.get(algorithm) ?? makeDecoy(algorithm)
  decoys.set(algorithm, decoy)
  return decoy
}
