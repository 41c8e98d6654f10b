import { randomUUID } from 'node:crypto'
import { anAnnouncement, createTestDevice, generateDeviceKeyPair } from '@countersign/core/testing'
import { describe, expect, it } from 'vitest'
import { type Environment, readConfig } from '../../config/read-config.ts'
import { exampleKeys, subscriptionToken } from '../../testing/browser-subscription.ts'
import { errorBodyOf } from '../../testing/error-body.ts'
import { registerDevice, signIn, signInWithDevice } from '../../testing/sign-in.ts'
import { createTestApp } from '../../testing/test-app.ts'
import { createPush } from '../push/create-push.ts'

describe('GET /api/v1/auth/devices', () => {
  it('lists the devices of the user, oldest first, without keys and push tokens', async () => {
    const test = await createTestApp()
    const { token } = await signIn(test)
    expect((await test.call('devices.list', {}, { token })).body).toEqual({ data: { devices: [] } })
    const first = await registerDevice(test, token)
    test.clock.advance(1000)
    const second = await registerDevice(test, token)
    await registerDevice(test, (await signIn(test)).token)
    await test.ask('devices.setPushToken', { deviceId: first.device.id, pushToken: 'push-1' }, { token })
    const { devices } = await test.ask('devices.list', {}, { token })
    expect(devices.map(({ id }) => id)).toEqual([first.device.id, second.device.id])
    expect(JSON.stringify(devices)).not.toMatch(/push-1|BEGIN|ES256/)
  })
})

describe('POST /api/v1/auth/devices/register/challenge', () => {
  it('returns a challenge of 64 bytes, the device id and the registration id', async () => {
    const test = await createTestApp()
    const { token } = await signIn(test)
    const { status, body } = await test.call('devices.beginRegistration', anAnnouncement(createTestDevice('ES256')), { token })
    expect(status).toBe(200)
    expect(body).toEqual({
      data: {
        challenge: expect.stringMatching(/^[A-Za-z0-9+/]{86}==$/),
        expiresAt: '2026-01-05T09:02:00.000Z',
        deviceId: expect.any(String),
        sessionId: expect.any(String),
      },
    })
  })
})

describe('POST /api/v1/auth/devices/register/verify', () => {
  it.each(['ES256', 'RS256', 'PS256'] as const)(
    'registers a device by its %s signature under the announced id',
    async (algorithm) => {
      const test = await createTestApp()
      const { token } = await signIn(test)
      const signer = createTestDevice(algorithm, { keyPair: generateDeviceKeyPair(algorithm) })
      const announcement = anAnnouncement(signer)
      const begun = await test.ask('devices.beginRegistration', announcement, { token })
      const registration = { sessionId: begun.sessionId, signedChallenge: signer.sign(begun.challenge) }
      const { status, body } = await test.call('devices.finishRegistration', registration, { token })
      expect(status).toBe(200)
      expect(body).toEqual({
        data: {
          success: true,
          deviceId: begun.deviceId,
          device: {
            id: begun.deviceId,
            deviceName: announcement.deviceName,
            deviceType: 'mobile',
            deviceFingerprint: announcement.deviceFingerprint,
            isActive: true,
            lastUsedAt: null,
            createdAt: '2026-01-05T09:00:00.000Z',
            updatedAt: '2026-01-05T09:00:00.000Z',
          },
        },
      })
    },
  )
})

describe('PUT /api/v1/auth/devices/push-token', () => {
  it('sets the push token of a device', async () => {
    const test = await createTestApp()
    const { token, device } = await signInWithDevice(test)
    const { status, body } = await test.call('devices.setPushToken', { deviceId: device.id, pushToken: 'push-1' }, { token })
    expect([status, body]).toEqual([200, { data: { success: true, message: 'Push token updated' } }])
  })

  it.each([
    ['http', 'http://fcm.googleapis.com/fcm/send/abc'],
    ['another host', 'https://push.example.com/abc'],
  ])('refuses a subscription of a browser with %s if Web Push is on, and otherwise accepts it', async (_, endpoint) => {
    const put = async (env: Environment) => {
      const { push } = readConfig({ COUNTERSIGN_PUSH_WEBHOOK_URL: 'http://127.0.0.1:9/', ...env })
      const test = await createTestApp()
      const { provider } = await createPush(push, { logger: test.logger })
      Object.assign(test.push, { faultOf: provider.faultOf })
      const { token, device } = await signInWithDevice(test)
      return test.call('devices.setPushToken', { deviceId: device.id, pushToken: subscriptionToken(endpoint) }, { token })
    }
    const webhook = {
      COUNTERSIGN_PUSH: 'webhook',
      COUNTERSIGN_PUSH_WEBHOOK_SECRET: `whsec_${Buffer.alloc(32).toString('base64')}`,
    }
    expect((await put(webhook)).status).toBe(200)
    const { status, body } = await put({
      ...webhook,
      COUNTERSIGN_PUSH: 'webpush,webhook',
      COUNTERSIGN_VAPID_PUBLIC_KEY: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
      COUNTERSIGN_VAPID_PRIVATE_KEY: exampleKeys.privateKey,
      COUNTERSIGN_VAPID_SUBJECT: 'mailto:security@example.com',
    })
    expect([status, body]).toEqual([400, errorBodyOf(400, 'pushToken: must have an endpoint of a known push service')])
  })
})

describe('DELETE /api/v1/auth/devices/{deviceId}', () => {
  it('removes the device and ends its sessions', async () => {
    const test = await createTestApp()
    const { token, device, deviceToken } = await signInWithDevice(test)
    const { status, body } = await test.call('devices.remove', { deviceId: device.id }, { token })
    expect([status, body]).toEqual([200, { data: { success: true, message: 'Device removed' } }])
    expect((await test.call('devices.list', {}, { token: deviceToken })).status).toBe(401)
    expect(await test.ask('devices.list', {}, { token })).toEqual({ devices: [] })
  })

  it('takes the id from the path, not from the query', async () => {
    const test = await createTestApp()
    const { token, device } = await signInWithDevice(test)
    const { status } = await test.send('DELETE', `/api/v1/auth/devices/${randomUUID()}?deviceId=${device.id}`, { token })
    expect(status).toBe(404)
  })
})
