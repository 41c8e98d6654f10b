import { createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto'
import { type KeyAlgorithm, keyAlgorithms } from '@countersign/contract'
import type { Instant } from '../../shared/clock.ts'
import { toBase64Url } from '../../shared/crypto/base64.ts'
import { decoyRsaModulus } from '../../shared/crypto/decoy-rsa-modulus.ts'
import { toSpkiPem } from '../../shared/crypto/device-key.ts'
import { countsInForce, type DecoyProfile } from '../decoys/decoy-profile.ts'
import { drawsOf } from '../decoys/draw.ts'
import type { Device } from './device.ts'

type DecoyDevice = Pick<Device, 'publicKey' | 'keyAlgorithm'>

/** The assumed number of users by algorithm. Added to the users of the installation. */
const guessedUsers: Readonly<Record<KeyAlgorithm, number>> = { ES256: 3, RS256: 0.8, PS256: 0.2 }

const makeKey = (algorithm: KeyAlgorithm): KeyObject =>
  algorithm === 'ES256'
    ? generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey
    : createPublicKey({ key: { kty: 'RSA', n: toBase64Url(decoyRsaModulus()), e: 'AQAB' }, format: 'jwk' })

const decoys = new Map<KeyAlgorithm, DecoyDevice>()

const decoyOf = (keyAlgorithm: KeyAlgorithm): DecoyDevice => {
  const decoy = decoys.get(keyAlgorithm) ?? { publicKey: toSpkiPem(makeKey(keyAlgorithm)), keyAlgorithm }
  decoys.set(keyAlgorithm, decoy)
  return decoy
}

/** The input of a decoy device: the key of `devices/decoys`, the decoy profiles and the time. */
interface DecoySource {
  readonly key: Uint8Array
  readonly profiles: readonly DecoyProfile[]
  readonly now: Instant
}

/**
 * Returns a device that no user holds. Where no device of a fingerprint can answer, its key is checked instead, so that the
 * work is the same. The algorithm is constant for one fingerprint, and as common as among the devices of users.
 */
export const decoyDevice = ({ key, profiles, now }: DecoySource, fingerprint: string): DecoyDevice => {
  const draws = drawsOf(key, fingerprint)
  const { deviceAlgorithms } = countsInForce(profiles, draws.uniform('phase'), now)
  const usersOf = (name: KeyAlgorithm): number => deviceAlgorithms.find(({ algorithm }) => algorithm === name)?.users ?? 0
  const items = keyAlgorithms.map((name) => ({ item: name, name, weight: usersOf(name) + guessedUsers[name] }))
  return decoyOf(draws.weighted('algorithm', items) ?? 'ES256')
}
