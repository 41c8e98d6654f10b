import { generateKeyPairSync } from 'node:crypto'
import { isoCBOR } from '@simplewebauthn/server/helpers'
import { toBase64Url } from '../crypto/base64.ts'
import type { Passkey } from './passkey.ts'

let decoy: Passkey | undefined

/** A passkey that nobody holds: where there is none of an id, its key is checked instead, so that the work is alike. */
export const decoyPasskey = (): Passkey => {
  decoy ??= makeDecoy()
  return decoy
}

const makeDecoy = (): Passkey => {
  const { x = '', y = '' } = generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey.export({ format: 'jwk' })
  const labels: [number, number | Uint8Array][] = [
    [1, 2],
    [3, -7],
    [-1, 1],
    [-2, Buffer.from(x, 'base64url')],
    [-3, Buffer.from(y, 'base64url')],
  ]
  return {
    id: '',
    userId: 0,
    userHandle: '',
    publicKey: toBase64Url(isoCBOR.encode(new Map(labels))),
    algorithm: -7,
    signCount: 0,
    transports: [],
    backupEligible: false,
    backedUp: false,
    aaguid: '',
    discoverable: null,
    name: '',
    createdAt: 0,
    lastUsedAt: null,
  }
}
