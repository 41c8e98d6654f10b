import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createTestUser, generateDeviceKeyPair, testPassword } from '@countersign/core/testing'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Client } from '../../client.ts'
import { fileSigner } from '../../node/index.ts'
import { aPayment } from '../../testing/device-client.ts'
import { createTestClient } from '../../testing/test-client.ts'
import { createTestSigner } from '../../testing/test-signer.ts'
import type { DeviceSigner } from './device-signer.ts'
import { keyPairSigner } from './key-pair-signer.ts'

let directory: string
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'countersign-signer-'))
})
afterEach(() => rm(directory, { recursive: true }))

const signedIn = async (): Promise<Client> => {
  const { test, client } = await createTestClient()
  const { email } = await createTestUser(test)
  await client.auth.login({ email, password: testPassword })
  return client
}

const aSigningKeyPair = () => crypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, false, ['sign', 'verify'])

/** Registers a device, logs in and approves. */
const live = async (client: Client, signer: DeviceSigner) => {
  const { deviceId, device } = await client.devices.register({ signer, deviceName: 'Phone', deviceType: 'mobile' })
  expect(device).toMatchObject({ id: deviceId, deviceFingerprint: signer.deviceFingerprint, deviceType: 'mobile' })
  const { success } = await client.mobile.login({ signer, rememberMe: true })
  await client.confirmations.request(aPayment)
  const { confirmations } = await client.confirmations.pending()
  const [approval] = await Promise.all(confirmations.map((one) => client.confirmations.approve(one, signer)))
  expect([success, approval?.status]).toEqual([true, 'approved'])
}

describe('a device registers, logs in and approves with', () => {
  it.each(['ES256', 'RS256', 'PS256'] as const)('a signer of the app with %s', async (algorithm) => {
    const signer = createTestSigner(algorithm, { keyPair: generateDeviceKeyPair(algorithm) })
    await live(await signedIn(), signer)
    expect(signer.purposes.map(({ action }) => action)).toEqual(['register', 'login', 'approve'])
  })

  it('a non-extractable key pair of WebCrypto', async () => {
    await live(await signedIn(), keyPairSigner({ deviceFingerprint: 'web-1', keyPair: await aSigningKeyPair() }))
  })

  it('a key in a file', async () => {
    await live(await signedIn(), await fileSigner(join(directory, 'device.json')))
  })
})

describe('a device that is not registered', () => {
  it('cannot log in, and the error gives no reason', async () => {
    const { client } = await createTestClient()
    await expect(client.mobile.login({ signer: createTestSigner() })).rejects.toMatchObject({
      status: 401,
      message: 'Invalid biometric token',
    })
  })
})

describe('a key in a file', () => {
  it('is made once, and only the owner of the file can read it', async () => {
    const path = join(directory, 'device.json')
    const first = await fileSigner(path)
    const again = await fileSigner(path)
    expect(again.deviceFingerprint).toBe(first.deviceFingerprint)
    expect(await again.publicKey()).toBe(await first.publicKey())
    expect((await stat(path)).mode & 0o777).toBe(0o600)
  })

  it('is the same for all programs that make it at the same time', async () => {
    const path = join(directory, 'device.json')
    const signers = await Promise.all(Array.from({ length: 8 }, () => fileSigner(path)))
    expect(new Set(signers.map(({ deviceFingerprint }) => deviceFingerprint)).size).toBe(1)
  })

  it('is never overwritten', async () => {
    const path = join(directory, 'device.json')
    await writeFile(path, 'not a key')
    await expect(fileSigner(path)).rejects.toThrow(SyntaxError)
    expect(await readFile(path, 'utf8')).toBe('not a key')
    await expect(fileSigner(join(directory, 'missing', 'device.json'))).rejects.toThrow('ENOENT')
  })
})
