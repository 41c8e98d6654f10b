import { expect, it, vi } from 'vitest'
import { createTestCountersign } from '../testing/create-test-countersign.ts'
import { signInNewDeviceUser } from '../testing/sign-in.ts'
import { createTestDevice } from '../testing/test-device.ts'
import { decoyDevice } from './decoy-device.ts'
import { isSignedByDevice } from './device-signature.ts'

// The real function, watched.
vi.mock('./device-signature.ts', { spy: true })

it('a login with an unknown fingerprint checks a signature, as one with a known fingerprint does', async () => {
  const test = createTestCountersign()
  const { device } = await signInNewDeviceUser(test)
  const stranger = createTestDevice('ES256')
  const checksOf = async (deviceFingerprint: string): Promise<number> => {
    const { id, challenge } = await test.countersign.mobile.beginLogin({ deviceFingerprint })
    vi.mocked(isSignedByDevice).mockClear()
    const login = test.countersign.mobile.finishLogin({ sessionId: id, signedChallenge: stranger.sign(challenge) })
    await expect(login).rejects.toThrow('Invalid biometric token')
    return vi.mocked(isSignedByDevice).mock.calls.length
  }
  expect(await checksOf(device.deviceFingerprint)).toBe(1)
  expect(await checksOf('nobody has this')).toBe(1)
})

it('the key that stands in for an unknown device is one and the same, and of no device', () => {
  expect(decoyDevice()).toBe(decoyDevice())
  expect(decoyDevice()).toStrictEqual({ publicKey: expect.stringContaining('BEGIN PUBLIC KEY'), keyAlgorithm: 'ES256' })
  expect(isSignedByDevice(decoyDevice(), 'x', Buffer.from(createTestDevice('ES256').sign('x'), 'base64'))).toBe(false)
})
