import { randomUUID } from 'node:crypto'
import { anAnnouncement, createTestDevice, generateDeviceKeyPair } from '@countersign/core/testing'
import { describe, expect, it } from 'vitest'
import { type Environment, readConfig } from '../../config/read-config.ts'
import { exampleKeys, subscriptionToken } from '../../testing/browser-subscription.ts'
import { errorBodyOf } from '../../testing/error-body.ts'
import { registerDevice, signIn, signInWithDevice } from '../../testing/sign-in.ts'
import { createTestApp } from '../../testing/test-app.ts'
import { createPush } from '../push/create-push.ts'

const NOT_FOUND = { message: 'Device not found', statusCode: 404, code: 'device_not_found' }

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

  it('names every invalid field', async () => {
    const test = await createTestApp()
    const { token } = await signIn(test)
    const bad = {
      deviceName: '<b>',
      deviceType: 'fridge',
      deviceFingerprint: 'x'.repeat(256),
      publicKey: 7,
      keyAlgorithm: 'HS256',
    }
    const { status, body } = await test.call('devices.beginRegistration', bad, { token })
    expect([status, body]).toEqual([
      400,
      errorBodyOf(
        400,
        [
          'deviceName: must be 1 to 255 letters, digits, spaces, hyphens or apostrophes, not U+003C',
          'deviceType: must be one of mobile, desktop, tablet',
          'deviceFingerprint: must be text of 1 to 255 characters',
          'publicKey: must be one PEM public key of at most 10 KB',
          'keyAlgorithm: must be one of ES256, RS256, PS256',
        ].join('; '),
      ),
    ])
  })

  it('refuses a key that does not match the algorithm', async () => {
    const test = await createTestApp()
    const { token } = await signIn(test)
    const announcement = { ...anAnnouncement(createTestDevice('ES256')), keyAlgorithm: 'RS256' }
    const { status, body } = await test.call('devices.beginRegistration', announcement, { token })
    expect([status, body]).toEqual([
      400,
      errorBodyOf(400, 'publicKey: must be one PEM public key (SPKI or PKCS#1) of RSA with 2048 to 8192 bits and exponent 65537'),
    ])
  })

  it('refuses a fingerprint that the user has already registered', async () => {
    const test = await createTestApp()
    const { token, device } = await signInWithDevice(test)
    const announcement = anAnnouncement(createTestDevice('ES256'), device.deviceFingerprint)
    const { status, body } = await test.call('devices.beginRegistration', announcement, { token })
    expect([status, body]).toEqual([
      409,
      { message: 'Device already registered for this user', statusCode: 409, code: 'device_already_registered' },
    ])
  })

  it('refuses more than twenty devices', async () => {
    const test = await createTestApp({ options: { devicesPerUser: 1 } })
    const { token } = await signInWithDevice(test)
    const { status, body } = await test.call('devices.beginRegistration', anAnnouncement(createTestDevice('ES256')), { token })
    expect([status, body]).toEqual([
      409,
      { message: 'At most 1 devices can be registered for a user', statusCode: 409, code: 'too_many_devices' },
    ])
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

  it('allows one attempt: after a wrong signature with 401, the challenge is gone', async () => {
    const test = await createTestApp()
    const { token } = await signIn(test)
    const signer = createTestDevice('ES256')
    const { sessionId, challenge } = await test.ask('devices.beginRegistration', anAnnouncement(signer), { token })
    const wrong = await test.call('devices.finishRegistration', { sessionId, signedChallenge: signer.sign('other') }, { token })
    expect([wrong.status, wrong.body]).toEqual([
      401,
      { message: 'Invalid device signature', statusCode: 401, code: 'invalid_device_signature' },
    ])
    const late = await test.call('devices.finishRegistration', { sessionId, signedChallenge: signer.sign(challenge) }, { token })
    expect([late.status, late.body]).toEqual([
      410,
      { message: 'Registration challenge expired or already used', statusCode: 410, code: 'registration_challenge_gone' },
    ])
  })

  it('answers 404 for a registration that the user never began', async () => {
    const test = await createTestApp()
    const { token } = await signIn(test)
    const registration = { sessionId: randomUUID(), signedChallenge: 'AAAA' }
    const { status, body } = await test.call('devices.finishRegistration', registration, { token })
    expect([status, body]).toEqual([
      404,
      { message: 'Registration challenge not found', statusCode: 404, code: 'registration_challenge_not_found' },
    ])
  })

  it('refuses a registration from the millisecond of challenge expiry', async () => {
    const test = await createTestApp()
    const { token } = await signIn(test)
    const signer = createTestDevice('ES256')
    const { sessionId, challenge } = await test.ask('devices.beginRegistration', anAnnouncement(signer), { token })
    test.clock.advance(120_000)
    const { status } = await test.call(
      'devices.finishRegistration',
      { sessionId, signedChallenge: signer.sign(challenge) },
      { token },
    )
    expect(status).toBe(410)
  })

  it('refuses a signature that is not base64', async () => {
    const test = await createTestApp()
    const { token } = await signIn(test)
    const registration = { sessionId: randomUUID(), signedChallenge: 'not base64!' }
    const { status, body } = await test.call('devices.finishRegistration', registration, { token })
    expect([status, body]).toEqual([
      400,
      {
        message:
          'signedChallenge: must be a signature in base64 or base64url without line breaks or other white space (in Android: Base64.NO_WRAP)',
        statusCode: 400,
        code: 'invalid_input',
        details: {
          signedChallenge:
            'must be a signature in base64 or base64url without line breaks or other white space (in Android: Base64.NO_WRAP)',
        },
      },
    ])
  })
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
  ])('refuses a subscription of a browser with %s where Web Push is on, and takes it elsewhere', async (_, endpoint) => {
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

  it('answers 404 for a device of another user', async () => {
    const test = await createTestApp()
    const { device } = await signInWithDevice(test)
    const { token } = await signIn(test)
    const { status, body } = await test.call('devices.setPushToken', { deviceId: device.id, pushToken: 'push-1' }, { token })
    expect([status, body]).toEqual([404, NOT_FOUND])
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

  it('answers 404 for a device of another user or an unknown device', async () => {
    const test = await createTestApp()
    const { device } = await signInWithDevice(test)
    const { token } = await signIn(test)
    for (const deviceId of [device.id, randomUUID()]) {
      const { status, body } = await test.call('devices.remove', { deviceId }, { token })
      expect([status, body]).toEqual([404, NOT_FOUND])
    }
  })

  it('takes the id from the path, not from the query', async () => {
    const test = await createTestApp()
    const { token, device } = await signInWithDevice(test)
    const { status } = await test.send('DELETE', `/api/v1/auth/devices/${randomUUID()}?deviceId=${device.id}`, { token })
    expect(status).toBe(404)
  })
})
