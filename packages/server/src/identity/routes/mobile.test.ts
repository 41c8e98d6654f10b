import { deviceLoginChallenge } from '@countersign/core'
import { anAnnouncement } from '@countersign/core/testing'
import { describe, expect, it } from 'vitest'
import { claimsOf } from '../../testing/claims-of.ts'
import { errorBodyOf } from '../../testing/error-body.ts'
import { registerDevice, signIn, signInWithDevice } from '../../testing/sign-in.ts'
import { createTestApp } from '../../testing/test-app.ts'

describe('POST /api/v1/auth/mobile/challenge', () => {
  it('gives the same answer for known and unknown fingerprints', async () => {
    const test = await createTestApp()
    const { device } = await signInWithDevice(test)
    const known = await test.call('mobile.beginLogin', { deviceFingerprint: device.deviceFingerprint })
    const unknown = await test.call('mobile.beginLogin', { deviceFingerprint: 'never seen' })
    for (const { status, body } of [known, unknown]) {
      expect(status).toBe(200)
      expect(body).toEqual({
        data: {
          challenge: expect.stringMatching(/^[A-Za-z0-9+/]{86}==$/),
          expiresAt: '2026-01-05T09:02:00.000Z',
          sessionId: expect.any(String),
        },
      })
    }
    expect(unknown.text.length).toBe(known.text.length)
    expect([...unknown.headers.keys()]).toEqual([...known.headers.keys()])
  })
})

describe('POST /api/v1/auth/mobile/biometric', () => {
  it('returns success and the tokens of a high-trust session', async () => {
    const test = await createTestApp()
    const { token, user } = await signIn(test)
    const registered = await registerDevice(test, token)
    const { sessionId, challenge } = await test.ask('mobile.beginLogin', {
      deviceFingerprint: registered.device.deviceFingerprint,
    })
    const login = { sessionId, signedChallenge: registered.signer.sign(challenge), rememberMe: false }
    const { status, body } = await test.call('mobile.finishLogin', login)
    expect(status).toBe(200)
    expect(body).toEqual({
      data: {
        success: true,
        tokens: {
          accessToken: expect.any(String),
          refreshToken: expect.any(String),
          accessTokenExpiresAt: '2026-01-05T09:15:00.000Z',
          refreshTokenExpiresAt: '2026-02-04T09:00:00.000Z',
        },
      },
    })
    const { accessToken } = (body as { data: { tokens: { accessToken: string } } }).data.tokens
    expect(claimsOf(accessToken)).toMatchObject({
      id: user.id,
      token_use: 'biometric_access',
      device_id: registered.device.id,
      auth_method: 'biometric',
      trust_level: 'high',
    })
  })

  it('names the required fields', async () => {
    const test = await createTestApp()
    const { status, body } = await test.call('mobile.finishLogin', { sessionId: 'x' })
    const both = 'sessionId: must be a UUID; signedChallenge: must be a signature in base64 or base64url'
    expect([status, body]).toEqual([400, errorBodyOf(400, both)])
  })
})

describe('POST /api/v1/auth/mobile/refresh', () => {
  it('returns the next tokens in the form of the login, once', async () => {
    const test = await createTestApp()
    const { deviceTokens } = await signInWithDevice(test)
    const first = await test.call('mobile.refresh', { refreshToken: deviceTokens.refreshToken })
    expect(first.body).toEqual({ data: { success: true, tokens: expect.objectContaining({ accessToken: expect.any(String) }) } })
    const second = await test.call('mobile.refresh', { refreshToken: deviceTokens.refreshToken })
    expect([second.status, second.body]).toEqual([
      401,
      { message: 'Invalid refresh token', statusCode: 401, code: 'invalid_refresh_token' },
    ])
  })
})

describe('the nonce of a challenge', () => {
  const extended = { headers: { 'countersign-extended': '1' } }

  it('is in extended answers only, for known and unknown fingerprints alike', async () => {
    const test = await createTestApp()
    const { device, token, signer } = await signInWithDevice(test)
    const plain = ['challenge', 'expiresAt', 'sessionId']
    for (const deviceFingerprint of [device.deviceFingerprint, 'nobody has this']) {
      expect(Object.keys(await test.ask('mobile.beginLogin', { deviceFingerprint })).sort()).toEqual(plain)
      const answer = await test.ask('mobile.beginLogin', { deviceFingerprint }, extended)
      expect(Object.keys(answer).sort()).toEqual([...plain, 'nonce'].sort())
      const { sessionId, expiresAt, challenge, nonce = '' } = answer
      const statement = { sessionId, deviceFingerprint, expiresAt }
      expect(deviceLoginChallenge(Buffer.from(nonce, 'base64'), statement)).toBe(challenge)
    }
    const announcement = anAnnouncement(signer, 'another fingerprint')
    const registration = await test.ask('devices.beginRegistration', announcement, { token })
    expect(Object.keys(registration).sort()).toEqual([...plain, 'deviceId'].sort())
    const { nonce } = await test.ask('devices.beginRegistration', announcement, { token, ...extended })
    expect(Buffer.from(nonce ?? '', 'base64')).toHaveLength(64)
  })
})
