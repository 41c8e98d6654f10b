import { generateKeyPairSync } from 'node:crypto'
import { toSpkiPem } from '../crypto/device-key.ts'
import type { Device } from './device.ts'

let decoy: Pick<Device, 'publicKey' | 'keyAlgorithm'> | undefined

/** A device that nobody holds: where a fingerprint has none, its key is checked instead, so that the work is alike. */
export const decoyDevice = (): Pick<Device, 'publicKey' | 'keyAlgorithm'> => {
  decoy ??= { publicKey: toSpkiPem(generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey), keyAlgorithm: 'ES256' }
  return decoy
}
