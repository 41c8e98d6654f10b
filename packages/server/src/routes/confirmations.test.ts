import { randomUUID } from 'node:crypto'
import { confirmationChallenge } from '@countersign/core'
import { createTestDevice } from '@countersign/core/testing'
import { describe, expect, it } from 'vitest'
import { aPayment, initiatePayment, registerDevice, signIn, signInWithDevice } from '../testing/sign-in.ts'
import { createTestApp, type TestApp } from '../testing/test-app.ts'

const NOT_FOUND = { message: 'Confirmation not found', statusCode: 404 }
const USED = { message: 'Action confirmation token already used', statusCode: 410 }
const EXPIRED = { message: 'Action confirmation expired', statusCode: 410 }

/** A user with a device, and a payment that waits for it. */
const withPendingPayment = async (test: TestApp) => {
  const user = await signInWithDevice(test)
  const initiated = await initiatePayment(test, user.token)
  const verify = (signature = user.signer.sign(initiated.challenge), token = user.deviceToken, deviceId = user.device.id) =>
    test.call('confirmations.verify', { confirmationId: initiated.confirmationId, deviceId, signedChallenge: signature }, { token })
  const reject = (token = user.token) => test.call('confirmations.reject', { confirmationId: initiated.confirmationId }, { token })
  const status = (token = user.token) => test.call('confirmations.status', { confirmationId: initiated.confirmationId }, { token })
  return { ...user, ...initiated, verify, reject, status }
}

describe('POST /api/v1/auth/confirmation/initiate', () => {
  it('answers the id, the challenge and when it expires', async () => {
    const test = createTestApp()
    const { token } = await signIn(test)
    const input = { actionType: 'payment_approval', actionPayload: aPayment }
    const { status, body } = await test.call('confirmations.initiate', input, { token })
    expect(status).toBe(200)
    expect(body).toEqual({
      data: {
        confirmationId: expect.stringMatching(/^conf_[0-9a-f-]{36}$/),
        challenge: expect.stringMatching(/^[A-Za-z0-9+/]{86}==$/),
        expiresAt: '2026-01-05T09:05:00.000Z',
      },
    })
  })

  it('names the field of the payload that is missing or wrong', async () => {
    const test = createTestApp()
    const { token } = await signIn(test)
    const refused = (actionPayload: unknown) =>
      test.call('confirmations.initiate', { actionType: 'payment_approval', actionPayload }, { token })
    expect((await refused({ currency: 'EUR', recipient: 'A' })).body).toEqual({
      message: 'actionPayload.amount: must be a number above 0',
      statusCode: 400,
    })
    expect((await refused([])).body).toEqual({ message: 'actionPayload: must be an object', statusCode: 400 })
    const unknown = await test.call('confirmations.initiate', { actionType: 'lunch', actionPayload: {} }, { token })
    expect([unknown.status, (unknown.body as { message: string }).message]).toEqual([
      400,
      expect.stringMatching(/^actionType: must be one of payment_approval, /),
    ])
  })

  it('measures the payload as it was written', async () => {
    const test = createTestApp()
    const { token } = await signIn(test)
    const bodyOf = (payloadBytes: number) => {
      const members = '"amount": 1, "currency": "EUR", "recipient": "A", "note": ""'
      const note = 'n'.repeat(payloadBytes - members.length - 2)
      return `{"actionType":"payment_approval","actionPayload":{${members.replace('""', `"${note}"`)}}}`
    }
    const headers = { 'content-type': 'application/json' }
    const fits = await test.send('POST', '/api/v1/auth/confirmation/initiate', { token, headers, body: bodyOf(4096) })
    expect(fits.status).toBe(200)
    const over = await test.send('POST', '/api/v1/auth/confirmation/initiate', { token, headers, body: bodyOf(4097) })
    expect([over.status, over.body]).toEqual([400, { message: 'actionPayload: must be at most 4096 bytes of JSON', statusCode: 400 }])
  })

  it('takes the written payload from nowhere but the body', async () => {
    const test = createTestApp()
    const { token } = await signIn(test)
    const input = { actionType: 'payment_approval', actionPayload: aPayment, actionPayloadText: '{}', caller: { userId: 99 } }
    const { confirmationId } = await test.ask('confirmations.initiate', input as never, { token })
    const { actionPayload } = await test.ask('confirmations.status', { confirmationId }, { token })
    expect(actionPayload).toEqual(aPayment)
  })

  it('refuses a twenty-first that waits', async () => {
    const test = createTestApp({ options: { pendingConfirmationsPerUser: 1 } })
    const { token } = await withPendingPayment(test)
    const input = { actionType: 'payment_approval', actionPayload: aPayment }
    const { status, body, headers } = await test.call('confirmations.initiate', input, { token })
    expect([status, body]).toEqual([429, { message: 'Too many pending confirmations', statusCode: 429 }])
    expect(headers.get('retry-after')).toBe('30')
  })

  it('tells the devices once the answer is there, and never the payload', async () => {
    const test = createTestApp()
    const { token, device, confirmationId } = await withPendingPayment(test)
    await test.background.drain()
    expect(test.push.sent).toEqual([])
    await test.ask('devices.setPushToken', { deviceId: device.id, pushToken: 'push-1' }, { token })
    await test.ask('confirmations.reject', { confirmationId }, { token })
    const next = await initiatePayment(test, token)
    expect(test.push.sent).toEqual([])
    await test.background.drain()
    const { confirmationId: told } = next
    const expiresAt = Date.parse(next.expiresAt)
    expect(test.push.sent).toEqual([
      { pushToken: 'push-1', deviceId: device.id, confirmationId: told, actionType: 'payment_approval', expiresAt },
    ])
  })
})

describe('GET /api/v1/auth/confirmation/{id}/status', () => {
  it('answers the payload to the byte as it was received', async () => {
    const test = createTestApp()
    const { token } = await signIn(test)
    const payload = '{ "10": 1,\n "9":2.50 , "amount": 1e2, "currency":"EUR","recipient":"\\u00e9é", "big": 12345678901234567890}'
    const body = `{"actionType":"payment_approval","actionPayload":${payload}}`
    const headers = { 'content-type': 'application/json' }
    const initiated = await test.send('POST', '/api/v1/auth/confirmation/initiate', { token, headers, body })
    const { confirmationId } = (initiated.body as { data: { confirmationId: string } }).data
    const { status, text } = await test.call('confirmations.status', { confirmationId }, { token })
    expect(status).toBe(200)
    expect(text).toBe(
      `{"data":{"confirmationId":"${confirmationId}","status":"pending","actionType":"payment_approval","actionPayload":${payload},` +
        '"createdAt":"2026-01-05T09:00:00.000Z","expiresAt":"2026-01-05T09:05:00.000Z","updatedAt":"2026-01-05T09:00:00.000Z"}}',
    )
  })

  it('says expired from the very millisecond, with 200', async () => {
    const test = createTestApp()
    const { status } = await withPendingPayment(test)
    test.clock.advance(299_999)
    expect((await status()).body).toMatchObject({ data: { status: 'pending' } })
    test.clock.advance(1)
    expect((await status()).body).toMatchObject({ data: { status: 'expired' } })
  })

  it("does not know somebody else's confirmation, nor ids of any other form", async () => {
    const test = createTestApp()
    const { confirmationId } = await withPendingPayment(test)
    const { token } = await signIn(test)
    for (const id of [confirmationId, `conf_${randomUUID()}`, 'x', '__proto__', '%']) {
      const { status, body } = await test.call('confirmations.status', { confirmationId: id }, { token })
      expect([status, body]).toEqual([404, NOT_FOUND])
    }
  })
})

describe('GET /api/v1/auth/confirmation/pending', () => {
  it('answers what the device needs to check and to sign', async () => {
    const test = createTestApp()
    const { user, deviceToken, confirmationId, challenge } = await withPendingPayment(test)
    const { confirmations } = await test.ask('confirmations.pending', {}, { token: deviceToken })
    expect(confirmations).toEqual([
      {
        confirmationId,
        userId: user.id,
        actionType: 'payment_approval',
        actionPayload: aPayment,
        challenge,
        nonce: expect.stringMatching(/^[A-Za-z0-9+/]{86}==$/),
        createdAt: '2026-01-05T09:00:00.000Z',
        expiresAt: '2026-01-05T09:05:00.000Z',
      },
    ])
    for (const { nonce, challenge: given, ...statement } of confirmations) {
      expect(confirmationChallenge(Buffer.from(nonce, 'base64'), statement)).toBe(given)
    }
  })

  it('is for devices only', async () => {
    const test = createTestApp()
    const { token } = await withPendingPayment(test)
    const { status, body } = await test.call('confirmations.pending', {}, { token })
    expect([status, body]).toEqual([403, { message: 'Insufficient trust level', statusCode: 403 }])
  })
})

describe('POST /api/v1/auth/confirmation/{id}/verify', () => {
  it('approves, once', async () => {
    const test = createTestApp()
    const { verify, status, confirmationId } = await withPendingPayment(test)
    const first = await verify()
    expect([first.status, first.body]).toEqual([200, { data: { success: true, confirmationId, status: 'approved' } }])
    expect((await status()).body).toMatchObject({ data: { status: 'approved' } })
    const second = await verify()
    expect([second.status, second.body]).toEqual([410, USED])
  })

  it('wants a token of high trust', async () => {
    const test = createTestApp()
    const { verify, token } = await withPendingPayment(test)
    const { status, body } = await verify(undefined, token)
    expect([status, body]).toEqual([403, { message: 'Insufficient trust level', statusCode: 403 }])
  })

  it('wants the token of the very device', async () => {
    const test = createTestApp()
    const { verify, token } = await withPendingPayment(test)
    const { device } = await registerDevice(test, token)
    const { status, body } = await verify(undefined, undefined, device.id)
    expect([status, body]).toEqual([403, { message: 'The token belongs to another device', statusCode: 403 }])
  })

  it("does not know somebody else's confirmation", async () => {
    const test = createTestApp()
    const { confirmationId } = await withPendingPayment(test)
    const other = await signInWithDevice(test)
    const input = { confirmationId, deviceId: other.device.id, signedChallenge: other.signer.sign('any') }
    const { status, body } = await test.call('confirmations.verify', input, { token: other.deviceToken })
    expect([status, body]).toEqual([404, NOT_FOUND])
  })

  it('refuses wrong signatures, and everything after the fifth', async () => {
    const test = createTestApp()
    const { verify } = await withPendingPayment(test)
    const stranger = createTestDevice('ES256')
    for (let attempt = 0; attempt < 5; attempt += 1) {
      const { status, body } = await verify(stranger.sign('any'))
      expect([status, body]).toEqual([401, { message: 'Invalid device signature', statusCode: 401 }])
    }
    const { status, body } = await verify()
    expect([status, body]).toEqual([410, USED])
  })

  it('is over from the millisecond of expiry', async () => {
    const test = createTestApp()
    const { verify } = await withPendingPayment(test)
    test.clock.advance(300_000)
    const { status, body } = await verify()
    expect([status, body]).toEqual([410, EXPIRED])
  })

  it('takes the id from the path, whatever the body says', async () => {
    const test = createTestApp()
    const { confirmationId, device, signer, challenge, deviceToken } = await withPendingPayment(test)
    const json = { confirmationId, deviceId: device.id, signedChallenge: signer.sign(challenge) }
    const path = `/api/v1/auth/confirmation/conf_${randomUUID()}/verify`
    expect((await test.send('POST', path, { json, token: deviceToken })).status).toBe(404)
  })
})

describe('POST /api/v1/auth/confirmation/{id}/reject', () => {
  it('rejects from any session of the user, also without a body', async () => {
    const test = createTestApp()
    const { confirmationId, token, verify } = await withPendingPayment(test)
    const { status, body } = await test.send('POST', `/api/v1/auth/confirmation/${confirmationId}/reject`, { token })
    expect([status, body]).toEqual([200, { data: { success: true, confirmationId, status: 'rejected' } }])
    expect((await verify()).body).toEqual(USED)
  })

  it('refuses what is settled, expired or not theirs', async () => {
    const test = createTestApp()
    const settled = await withPendingPayment(test)
    await settled.reject()
    expect((await settled.reject()).body).toEqual(USED)
    const open = await withPendingPayment(test)
    expect((await open.reject(settled.token)).body).toEqual(NOT_FOUND)
    test.clock.advance(300_000)
    expect((await open.reject()).body).toEqual(EXPIRED)
  })

  it('bounds the reason', async () => {
    const test = createTestApp()
    const { confirmationId, token } = await withPendingPayment(test)
    const { status, body } = await test.call('confirmations.reject', { confirmationId, reason: 'x'.repeat(1001) }, { token })
    expect([status, body]).toEqual([400, { message: 'reason: must be text of at most 1000 characters', statusCode: 400 }])
  })
})
