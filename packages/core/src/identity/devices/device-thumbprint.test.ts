import { keyAlgorithms } from '@countersign/contract'
import { calculateJwkThumbprint } from 'jose'
import { expect, it } from 'vitest'
import { createTestDevice } from '../../testing/test-device.ts'
import { deviceThumbprint } from './device-thumbprint.ts'

it.each(keyAlgorithms)('the thumbprint of a stored key of %s is that of jose', async (keyAlgorithm) => {
  for (let run = 0; run < (keyAlgorithm === 'ES256' ? 100 : 1); run += 1) {
    const { publicKey, keyPair } = createTestDevice(keyAlgorithm)
    const expected = await calculateJwkThumbprint(keyPair.publicKey.export({ format: 'jwk' }))
    expect(deviceThumbprint({ publicKey, keyAlgorithm })).toBe(expected)
    expect(deviceThumbprint({ publicKey, keyAlgorithm }, keyPair.publicKey)).toBe(expected)
  }
})
