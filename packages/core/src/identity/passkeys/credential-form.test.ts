import { createTestCountersign } from '@countersign/storage-sqlite/testing'
import { isoCBOR } from '@simplewebauthn/server/helpers'
import { describe, expect, it } from 'vitest'
import { Invalid } from '../../shared/errors.ts'
import { signInNewPasskeyUser } from '../../testing/passkeys.ts'
import { signInNewUser } from '../../testing/sign-in.ts'
import { createVirtualPasskey } from '../../testing/virtual-passkey.ts'
import type { AssertionChanges, CborValue, CreationChanges } from '../../testing/virtual-passkey-types.ts'

type Fields = Readonly<Record<string, string>>

const clientDataTakes = {
  'credential.response.clientDataJSON': 'must be client data in JSON, with type, challenge and origin',
}

const wrongClientData: readonly [string, AssertionChanges & CreationChanges][] = [
  ['client data that is not JSON', { clientDataBytes: (bytes) => bytes.subarray(1) }],
  ['client data that is null', { clientDataBytes: () => Buffer.from('null') }],
  ['client data without an origin', { clientData: { origin: undefined } }],
  ['client data whose challenge is no text', { clientData: { challenge: 1 } }],
]

describe('the registration of a passkey', () => {
  const encode = (value: CborValue): Uint8Array => isoCBOR.encode(value as Parameters<typeof isoCBOR.encode>[0])
  /** Replaces a member of the attestation object. */
  const having = (member: string, value: CborValue): CreationChanges => ({
    attestationObjectBytes: (bytes) => {
      const members = isoCBOR.decodeFirst<ReadonlyMap<string, CborValue>>(new Uint8Array(bytes))
      return encode(new Map<string, CborValue>([...members, [member, value]]))
    },
  })
  const attestationTakes = {
    'credential.response.attestationObject': 'must be an attestation object in canonical CBOR',
  }

  it.each<[string, CreationChanges, Fields]>([
    ...wrongClientData.map(([name, changes]): [string, CreationChanges, Fields] => [name, changes, clientDataTakes]),
    ['an attestation that is not CBOR', { attestationObjectBytes: () => Buffer.of(0xff) }, attestationTakes],
    ['an attestation that is a list', { attestationObjectBytes: () => encode(['none']) }, attestationTakes],
    ['an attestation whose format is no text', having('fmt', 1), attestationTakes],
    ['an attestation whose statement is no map', having('attStmt', 'none'), attestationTakes],
    ['an attestation whose authenticator data is no bytes', having('authData', 'none'), attestationTakes],
    ['an attestation without a credential', having('authData', new Uint8Array(37)), attestationTakes],
    ['two wrong members', { ...having('fmt', 1), clientData: { origin: 1 } }, { ...clientDataTakes, ...attestationTakes }],
  ])('is refused for %s, names the member, and costs no attempt', async (_, changes, fields) => {
    const { countersign } = await createTestCountersign()
    const { caller } = await signInNewUser({ countersign })
    const { challengeId, publicKey } = await countersign.passkeys.beginRegistration({ caller })
    const virtual = createVirtualPasskey()
    const finish = (of: CreationChanges) =>
      countersign.passkeys.finishRegistration({ caller, challengeId, credential: virtual.create(publicKey, of) })
    await expect(finish(changes)).rejects.toStrictEqual(new Invalid(fields))
    expect(await finish({})).toMatchObject({ id: virtual.id })
  })
})

describe('a login by a passkey', () => {
  const authenticatorTakes = { 'credential.response.authenticatorData': 'must be exactly authenticator data' }

  it.each<[string, AssertionChanges, Fields]>([
    ...wrongClientData.map(([name, changes]): [string, AssertionChanges, Fields] => [name, changes, clientDataTakes]),
    ['short authenticator data', { authenticatorDataBytes: (bytes) => bytes.subarray(1) }, authenticatorTakes],
    [
      'a byte after its authenticator data',
      { authenticatorDataBytes: (bytes) => Buffer.from([...bytes, 1]) },
      authenticatorTakes,
    ],
    [
      'two wrong members',
      { authenticatorDataBytes: () => Buffer.of(1), clientData: { type: undefined } },
      { ...clientDataTakes, ...authenticatorTakes },
    ],
  ])('is refused for %s, names the member, and costs no attempt', async (_, changes, fields) => {
    const { countersign } = await createTestCountersign()
    const { virtual } = await signInNewPasskeyUser({ countersign })
    const { challengeId, publicKey } = await countersign.passkeys.beginLogin({})
    const finish = (of: AssertionChanges) =>
      countersign.passkeys.finishLogin({ challengeId, credential: virtual.get(publicKey, of) })
    await expect(finish(changes)).rejects.toStrictEqual(new Invalid(fields))
    expect(await finish({})).toHaveProperty('accessToken')
  })
})
