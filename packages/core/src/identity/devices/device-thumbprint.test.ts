import { keyAlgorithms } from '@countersign/contract'
import { calculateJwkThumbprint } from 'jose'
import { expect, it } from 'vitest'
import { toSpkiPem } from '../../shared/crypto/device-key.ts'
import { createTestDevice } from '../../testing/test-device.ts'
import { deviceThumbprint } from './device-signature.ts'

it('the thumbprint of a key with a compressed point, as earlier versions stored it, is the same', () => {
  const { publicKey, keyPair } = createTestDevice('ES256')
  const der = keyPair.publicKey.export({ format: 'der', type: 'spki' })
  const point = Buffer.concat([Buffer.of(2 + ((der.at(-1) ?? 0) & 1)), der.subarray(27, 59)])
  const start = Buffer.from('3039301306072a8648ce3d020106082a8648ce3d030107032200', 'hex')
  const body = Buffer.concat([start, point]).toString('base64')
  const compressed = `-----BEGIN PUBLIC KEY-----\n${body}\n-----END PUBLIC KEY-----\n`
  expect(toSpkiPem(keyPair.publicKey)).not.toBe(compressed)
  expect(deviceThumbprint({ publicKey: compressed, keyAlgorithm: 'ES256' })).toBe(
    deviceThumbprint({ publicKey, keyAlgorithm: 'ES256' }),
  )
})

it.each(keyAlgorithms)('the thumbprint of a stored key of %s equals the thumbprint of jose', async (keyAlgorithm) => {
  for (let run = 0; run < (keyAlgorithm === 'ES256' ? 100 : 1); run += 1) {
    const { publicKey, keyPair } = createTestDevice(keyAlgorithm)
    const expected = await calculateJwkThumbprint(keyPair.publicKey.export({ format: 'jwk' }))
    expect(deviceThumbprint({ publicKey, keyAlgorithm })).toBe(expected)
    expect(deviceThumbprint({ publicKey, keyAlgorithm }, keyPair.publicKey)).toBe(expected)
  }
})
