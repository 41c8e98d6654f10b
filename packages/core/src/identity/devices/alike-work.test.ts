import { type KeyAlgorithm, keyAlgorithms } from '@countersign/contract'
import { createTestCountersign } from '@countersign/storage-sqlite/testing'
import { afterAll, expect, it, vi } from 'vitest'
import { readStoredKey } from '../../shared/crypto/device-key.ts'
import { systemRandom } from '../../shared/random.ts'
import { registerTestDevice, signInNewDeviceUser, signInNewUser } from '../../testing/sign-in.ts'
import { createTestDevice } from '../../testing/test-device.ts'
import { decoyDevice } from './decoy-device.ts'
import { isSignedByDevice } from './device-signature.ts'

// Files before this one have loaded the module without the spy, and files after this one need it so.
vi.hoisted(() => vi.resetModules())
afterAll(() => void vi.resetModules())

// The real function, with a spy.
vi.mock('./device-signature.ts', { spy: true })

const stranger = createTestDevice('ES256')

/** The algorithms of the keys that a refused login checks. */
const checkedBy = async (
  { countersign }: Awaited<ReturnType<typeof createTestCountersign>>,
  deviceFingerprint: string,
  meanwhile?: () => Promise<unknown>,
) => {
  const { id, challenge } = await countersign.mobile.beginLogin({ deviceFingerprint })
  await meanwhile?.()
  vi.mocked(isSignedByDevice).mockClear()
  const login = countersign.mobile.finishLogin({ sessionId: id, signedChallenge: stranger.sign(challenge) })
  await expect(login).rejects.toThrow('Invalid biometric token')
  return vi.mocked(isSignedByDevice).mock.calls.map(([{ keyAlgorithm }]) => keyAlgorithm)
}

it('a login with an unknown fingerprint checks as many signatures as a login with a known fingerprint', async () => {
  const test = await createTestCountersign()
  const { device } = await signInNewDeviceUser(test)
  expect(await checkedBy(test, device.deviceFingerprint)).toStrictEqual(['ES256'])
  expect(await checkedBy(test, 'nobody has this')).toHaveLength(1)
})

it('a login with a device that was registered after the challenge checks as many signatures too', async () => {
  const test = await createTestCountersign()
  const { caller } = await signInNewUser(test)
  const checked = await checkedBy(test, 'new', async () => {
    test.clock.advance(1)
    await registerTestDevice(test, caller, { deviceFingerprint: 'new' })
  })
  expect(checked).toHaveLength(1)
})

it('the algorithm of an unknown fingerprint is constant, and each algorithm occurs', async () => {
  const test = await createTestCountersign()
  const fingerprints = Array.from({ length: 200 }, (_, index) => `unknown-${index}`)
  const algorithms = async () => {
    const all: KeyAlgorithm[] = []
    for (const fingerprint of fingerprints) all.push(...(await checkedBy(test, fingerprint)))
    return all
  }
  const all = await algorithms()
  // 40 and 150 on average; six standard deviations are 34 and 37.
  expect(all.filter((algorithm) => algorithm === 'RS256').length).toBeGreaterThan(6)
  expect(all.filter((algorithm) => algorithm === 'ES256').length).toBeGreaterThan(113)
  expect(await algorithms()).toStrictEqual(all)
})

it('there is one decoy key for each algorithm, and no device has it', () => {
  const key = systemRandom.bytes(32)
  const decoys = Array.from({ length: 400 }, (_, index) => decoyDevice(key, `unknown-${index}`))
  expect(new Set(decoys).size).toBe(keyAlgorithms.length)
  expect(new Set(decoys.map(({ keyAlgorithm }) => keyAlgorithm))).toStrictEqual(new Set(keyAlgorithms))
  for (const decoy of new Set(decoys)) {
    expect(readStoredKey(decoy.publicKey, decoy.keyAlgorithm)).toBeDefined()
    const signature = Buffer.from(createTestDevice(decoy.keyAlgorithm).sign('x'), 'base64')
    expect(isSignedByDevice(decoy, 'x', signature)).toBe(false)
  }
})
