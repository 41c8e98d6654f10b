import { randomUUID } from 'node:crypto'
import type { KeyAlgorithm } from '@countersign/contract'
import { createTestDevice, type TestDeviceOptions } from '@countersign/core/testing'
import type { DeviceSigner, SigningPurpose } from '../identity/devices/device-signer.ts'

export interface TestSigner extends DeviceSigner {
  /** The purposes of the signatures so far. */
  readonly purposes: readonly SigningPurpose[]
}

/** A signer as phone apps write one: signatures in DER, as Android and iOS make them. */
export const createTestSigner = (algorithm: KeyAlgorithm = 'ES256', options?: TestDeviceOptions): TestSigner => {
  const device = createTestDevice(algorithm, options)
  const purposes: SigningPurpose[] = []
  return {
    deviceFingerprint: `phone-${randomUUID()}`,
    keyAlgorithm: algorithm,
    publicKey: () => device.publicKey,
    sign: (challenge, purpose) => {
      purposes.push(purpose)
      return device.sign(challenge)
    },
    purposes,
  }
}
