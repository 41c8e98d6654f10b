import { createHash, type KeyObject, sign } from 'node:crypto'
import { isoCBOR } from '@simplewebauthn/server/helpers'
import { toBase64Url } from '../shared/crypto/base64.ts'
import { systemRandom } from '../shared/random.ts'
import { generateDeviceKeyPair } from './test-device.ts'
import type {
  AuthenticatorFlags,
  CborValue,
  CeremonyChanges,
  VirtualPasskey,
  VirtualPasskeyOptions,
} from './virtual-passkey-types.ts'

const coseAlgorithms = { ES256: -7, RS256: -257 } as const

const coseLabelsOf = (algorithm: 'ES256' | 'RS256', publicKey: KeyObject): [number, CborValue][] => {
  const { x = '', y = '', n = '', e = '' } = publicKey.export({ format: 'jwk' })
  const bytes = (text: string) => new Uint8Array(Buffer.from(text, 'base64url'))
  return algorithm === 'ES256'
    ? [
        [1, 2],
        [3, coseAlgorithms.ES256],
        [-1, 1],
        [-2, bytes(x)],
        [-3, bytes(y)],
      ]
    : [
        [1, 3],
        [3, coseAlgorithms.RS256],
        [-1, bytes(n)],
        [-2, bytes(e)],
      ]
}

const encodeCbor = (value: CborValue): Uint8Array => isoCBOR.encode(value as Parameters<typeof isoCBOR.encode>[0])

const sha256 = (bytes: Uint8Array | string): Buffer => createHash('sha256').update(bytes).digest()

const flagByte = (flags: AuthenticatorFlags): number =>
  (flags.userPresent ? 0x01 : 0) |
  (flags.userVerified ? 0x04 : 0) |
  (flags.backupEligible ? 0x08 : 0) |
  (flags.backedUp ? 0x10 : 0) |
  (flags.attestedCredential ? 0x40 : 0) |
  (flags.extensions ? 0x80 : 0)

const uint = (value: number, bytes: 2 | 4): Buffer => {
  const buffer = Buffer.alloc(bytes)
  buffer.writeUIntBE(value, 0, bytes)
  return buffer
}

/** Applies changes to entries. `undefined` removes an entry. */
const changed = <K extends string | number, V>(
  entries: readonly (readonly [K, V])[],
  changes: readonly (readonly [K, V | undefined])[],
) => {
  const result = new Map<K, V>(entries)
  for (const [key, value] of changes) {
    if (value === undefined) result.delete(key)
    else result.set(key, value)
  }
  return result
}

const unchanged = <T>(value: T): T => value

/** Makes a passkey. The options of a ceremony decide its answer, except for `changes`. */
export const createVirtualPasskey = (options: VirtualPasskeyOptions = {}): VirtualPasskey => {
  const {
    algorithm = 'ES256',
    keyPair = generateDeviceKeyPair(algorithm),
    origin = 'http://localhost:4000',
    credentialId = systemRandom.bytes(32),
    aaguid = new Uint8Array(16),
    transports = ['hybrid', 'internal'],
    verifiesUser = true,
    backupEligible = true,
    backedUp = backupEligible,
    counts = false,
    discoverable = true,
  } = options
  const id = toBase64Url(credentialId)
  let userHandle: string | undefined
  let signatures = 0

  const clientDataOf = (type: string, challenge: string, changes: CeremonyChanges): Uint8Array => {
    const members = { type, challenge, origin, crossOrigin: false, ...changes.clientData }
    return (changes.clientDataBytes ?? unchanged)(Buffer.from(JSON.stringify(members)))
  }

  const authenticatorDataOf = (rpId: string, attested: Uint8Array, changes: CeremonyChanges): Uint8Array => {
    if (counts) signatures += 1
    const extensions = changes.extensions === undefined ? new Uint8Array() : encodeCbor(changes.extensions)
    const flags: AuthenticatorFlags = {
      userPresent: true,
      userVerified: verifiesUser,
      backupEligible,
      backedUp,
      attestedCredential: attested.length > 0,
      extensions: extensions.length > 0,
      ...changes.flags,
    }
    const head = [sha256(changes.rpId ?? rpId), Buffer.of(flagByte(flags)), uint(changes.signCount ?? signatures, 4)]
    return (changes.authenticatorDataBytes ?? unchanged)(Buffer.concat([...head, attested, extensions]))
  }

  const signatureOf = (authenticatorData: Uint8Array, clientData: Uint8Array, changes: CeremonyChanges): Uint8Array => {
    const signed = Buffer.concat([authenticatorData, sha256(clientData)])
    const signature = sign('sha256', signed, changes.signingKey ?? keyPair.privateKey)
    return changes.signature === undefined ? signature : changes.signature(signature, signed)
  }

  return {
    id,
    keyPair,
    get userHandle() {
      return userHandle
    },

    create: ({ challenge, rp, user }, changes = {}) => {
      userHandle = user.id
      const clientData = clientDataOf('webauthn.create', challenge, changes)
      const keyChanges = Object.entries(changes.coseKey ?? {}).map(([label, value]) => [Number(label), value] as const)
      const coseKey = changed(coseLabelsOf(algorithm, keyPair.publicKey), keyChanges)
      const attestedId = changes.attestedId ?? credentialId
      const attested = Buffer.concat([aaguid, uint(attestedId.length, 2), attestedId, encodeCbor(coseKey)])
      const authenticatorData = authenticatorDataOf(rp.id, attested, changes)

      const { attestation = 'none' } = changes
      const own: [string, CborValue][] =
        attestation === 'none'
          ? []
          : [
              ['alg', coseAlgorithms[algorithm]],
              ['sig', new Uint8Array(signatureOf(authenticatorData, clientData, changes))],
            ]
      const attestationObject = new Map<string, CborValue>([
        ['fmt', changes.format ?? attestation],
        ['attStmt', changed(own, Object.entries(changes.statement ?? {}))],
        ['authData', new Uint8Array(authenticatorData)],
      ])
      return {
        id,
        rawId: id,
        type: 'public-key',
        response: {
          clientDataJSON: toBase64Url(clientData),
          attestationObject: toBase64Url((changes.attestationObjectBytes ?? unchanged)(encodeCbor(attestationObject))),
          transports: [...transports],
        },
        clientExtensionResults: { credProps: { rk: discoverable } },
      }
    },

    get: ({ challenge, rpId }, changes = {}) => {
      const clientData = clientDataOf('webauthn.get', challenge, changes)
      const authenticatorData = authenticatorDataOf(rpId, new Uint8Array(), changes)
      const handle = changes.userHandle === undefined ? userHandle : changes.userHandle
      return {
        id,
        rawId: id,
        type: 'public-key',
        response: {
          clientDataJSON: toBase64Url(clientData),
          authenticatorData: toBase64Url(authenticatorData),
          signature: toBase64Url(signatureOf(authenticatorData, clientData, changes)),
          ...(typeof handle === 'string' && { userHandle: handle }),
        },
      }
    },
  }
}
