import { generateKeyPairSync } from 'node:crypto'
import { createTestCountersign } from '@countersign/storage-sqlite/testing'
import { expect, it } from 'vitest'
import { registerTestPasskey } from '../../testing/passkeys.ts'
import { signInNewUser } from '../../testing/sign-in.ts'
import { createVirtualPasskey } from '../../testing/virtual-passkey.ts'
import type { CreationChanges, VirtualPasskeyOptions } from '../../testing/virtual-passkey-types.ts'

const p256 = createVirtualPasskey().keyPair
const rsa = (modulusLength: number, publicExponent = 0x10001) => generateKeyPairSync('rsa', { modulusLength, publicExponent })
const edwards = generateKeyPairSync('ed25519').publicKey.export({ format: 'jwk' })
const bytes = (text = '') => new Uint8Array(Buffer.from(text, 'base64url'))

const cases: Record<string, { options?: VirtualPasskeyOptions; coseKey?: CreationChanges['coseKey'] }> = {
  'EdDSA, which was not offered': { coseKey: { 1: 1, 3: -8, [-1]: 6, [-2]: bytes(edwards.x), [-3]: undefined } },
  'ES384, which was not offered': { coseKey: { 3: -35, [-1]: 2 } },
  'ES256 on another curve': { coseKey: { [-1]: 2 } },
  'ES256 of the kind of RSA': { coseKey: { 1: 3 } },
  'RS256 of the kind of elliptic curves': { coseKey: { 3: -257 } },
  'a point that is not on the curve': { coseKey: { [-3]: new Uint8Array(32).fill(1) } },
  'a coordinate that is too short': { coseKey: { [-2]: new Uint8Array(31).fill(1) } },
  'a compressed point': { coseKey: { [-3]: true } },
  'no algorithm': { coseKey: { 3: undefined } },
  'an algorithm that is text': { coseKey: { 3: 'ES256' } },
  'a member that no such key has': { coseKey: { 4: 'anything' } },
  'RSA of 1024 bits': { options: { algorithm: 'RS256', keyPair: rsa(1024) } },
  'RSA with an exponent of 3': { options: { algorithm: 'RS256', keyPair: rsa(2048, 3) } },
}

it.each(Object.entries(cases))('a passkey is refused if its key is %s', async (_, { options, coseKey }) => {
  const test = await createTestCountersign()
  const { caller } = await signInNewUser(test)
  const virtual = createVirtualPasskey({ keyPair: p256, ...options })
  const registering = registerTestPasskey(test, caller, { virtual, changes: coseKey === undefined ? {} : { coseKey } })
  await expect(registering).rejects.toThrow('Invalid passkey')
  expect(await test.countersign.passkeys.list({ caller })).toStrictEqual([])
})

it('a passkey is accepted if its key is not modified', async () => {
  const test = await createTestCountersign()
  const { caller } = await signInNewUser(test)
  await registerTestPasskey(test, caller, { virtual: createVirtualPasskey({ keyPair: p256 }) })
  test.clock.advance(1)
  await registerTestPasskey(test, caller, { virtual: createVirtualPasskey({ algorithm: 'RS256', keyPair: rsa(2048) }) })
  expect((await test.countersign.passkeys.list({ caller })).map(({ algorithm }) => algorithm)).toStrictEqual([-7, -257])
})
