import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Output } from '@countersign/contract'
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { fileSigner } from '../src/node/index.ts'
import type { PendingConfirmation } from '../src/shared/pending-confirmation.ts'
import { aPayment, createDeviceClient, type DeviceClient } from '../src/testing/device-client.ts'
import { createTestSigner } from '../src/testing/test-signer.ts'

/** An operator who controls every answer of the service, and who wants a signature for another purpose than the one shown. */

interface Challenge {
  readonly challenge: string
  readonly nonce?: string | undefined
}

const mismatch = { code: 'CHALLENGE_MISMATCH', status: undefined }

let given: DeviceClient
let pending: PendingConfirmation
beforeEach(async () => {
  given = await createDeviceClient()
  await given.client.confirmations.request(aPayment)
  const { confirmations } = await given.phone.confirmations.pending()
  pending = confirmations[0] as PendingConfirmation
  given.sent.length = 0
})

/** Changes the data of the next answer of the service. */
const forgeNext = (change: (data: Record<string, unknown>) => object): void => {
  given.faults.push(async (request) => {
    const { data } = (await (await given.test.app.fetch(request)).json()) as { data: Record<string, unknown> }
    return Response.json({ data: change(data) })
  })
}

const anotherLogin = (): Promise<Output<'mobile.beginLogin'>> =>
  given.another().mobile.beginLogin({ deviceFingerprint: given.signer.deviceFingerprint })

const anotherRegistration = async (): Promise<Output<'devices.beginRegistration'>> => {
  const { deviceFingerprint, keyAlgorithm, publicKey } = createTestSigner()
  const announced = { deviceFingerprint, keyAlgorithm, publicKey: await publicKey() }
  return given.client.devices.beginRegistration({ ...announced, deviceName: 'Phone', deviceType: 'mobile' })
}

/** The challenges that serve another purpose than a login, and than a registration. */
const foreign: readonly (readonly [string, () => Promise<Challenge>])[] = [
  ['a confirmation', async () => pending],
  ['another login', anotherLogin],
  ['another registration', anotherRegistration],
]

const changes: readonly (readonly [string, (data: Record<string, unknown>) => object])[] = [
  ['no nonce', ({ nonce: _, ...rest }) => rest],
  ['a nonce that is null', (data) => ({ ...data, nonce: null })],
  ['a nonce that is no text', (data) => ({ ...data, nonce: { length: 88 } })],
  ['a nonce that is not base64', (data) => ({ ...data, nonce: '%'.repeat(88) })],
  ['a shorter nonce', (data) => ({ ...data, nonce: Buffer.alloc(63).toString('base64') })],
  ['another nonce', (data) => ({ ...data, nonce: Buffer.alloc(64).toString('base64') })],
  ['another challenge', (data) => ({ ...data, challenge: Buffer.alloc(64).toString('base64') })],
  ['another session', (data) => ({ ...data, sessionId: '00000000-0000-4000-8000-000000000000' })],
  ['another end', (data) => ({ ...data, expiresAt: '2026-01-05T10:00:00.000Z' })],
]

describe('a login', () => {
  const refused = async (): Promise<void> => {
    const { another, signer, sent } = given
    const signed = signer.purposes.length
    sent.length = 0
    await expect(another().mobile.login({ signer })).rejects.toMatchObject(mismatch)
    expect(signer.purposes).toHaveLength(signed)
    expect(sent).toEqual(['POST /api/v1/auth/mobile/challenge'])
  }

  it.each(foreign)('does not sign the challenge of %s', async (_, challengeOf) => {
    const { challenge, nonce } = await challengeOf()
    forgeNext((data) => ({ ...data, challenge, nonce }))
    await refused()
    forgeNext((data) => ({ ...data, challenge }))
    await refused()
  })

  it.each(changes)('does not sign a challenge with %s', async (_, change) => {
    forgeNext(change)
    await refused()
  })

  it('of another device is not signed', async () => {
    const { challenge, nonce, sessionId, expiresAt } = await given
      .another()
      .mobile.beginLogin({ deviceFingerprint: 'another device' })
    forgeNext(() => ({ challenge, nonce, sessionId, expiresAt }))
    await refused()
  })

  it('with a key in a file does not sign the challenge of a confirmation', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'countersign-operator-'))
    onTestFinished(() => rm(directory, { recursive: true }))
    let signed = 0
    const inFile = await fileSigner(join(directory, 'device.json'))
    const signer = {
      ...inFile,
      sign: (...args: Parameters<typeof inFile.sign>) => {
        signed += 1
        return inFile.sign(...args)
      },
    }
    await given.client.devices.register({ signer, deviceName: 'Build server', deviceType: 'desktop' })
    expect(signed).toBe(1)
    const { challenge, nonce } = pending
    forgeNext((data) => ({ ...data, challenge, nonce }))
    await expect(given.another().mobile.login({ signer })).rejects.toMatchObject(mismatch)
    expect(signed).toBe(1)
    await given.another().mobile.login({ signer })
    expect(signed).toBe(2)
  })
})

describe('a registration', () => {
  const refused = async (): Promise<void> => {
    const { client, sent } = given
    const signer = createTestSigner()
    sent.length = 0
    await expect(client.devices.register({ signer, deviceName: 'Phone', deviceType: 'mobile' })).rejects.toMatchObject(mismatch)
    expect(signer.purposes).toEqual([])
    expect(sent).toEqual(['POST /api/v1/auth/devices/register/challenge'])
  }

  it.each(foreign)('does not sign the challenge of %s', async (_, challengeOf) => {
    const { challenge, nonce } = await challengeOf()
    forgeNext((data) => ({ ...data, challenge, nonce }))
    await refused()
    forgeNext((data) => ({ ...data, challenge }))
    await refused()
  })

  it.each(changes.filter(([name]) => name !== 'another session'))('does not sign a challenge with %s', async (_, change) => {
    forgeNext(change)
    await refused()
  })

  it('of another device id is not signed', async () => {
    forgeNext((data) => ({ ...data, deviceId: '00000000-0000-4000-8000-000000000000' }))
    await refused()
  })

  it('of another key is not signed', async () => {
    const other = await anotherRegistration()
    forgeNext(() => other)
    await refused()
  })
})

describe('an approval', () => {
  it.each(foreign.slice(1))('does not sign the challenge of %s', async (_, challengeOf) => {
    const { phone, signer, sent } = given
    const { challenge, nonce = '' } = await challengeOf()
    const signed = signer.purposes.length
    sent.length = 0
    for (const forged of [
      { ...pending, challenge, nonce },
      { ...pending, challenge },
    ]) {
      await expect(phone.confirmations.approve(forged, signer)).rejects.toMatchObject(mismatch)
    }
    expect(signer.purposes).toHaveLength(signed)
    expect(sent).toEqual([])
  })
})
