import { describe, expect, it } from 'vitest'
import { errorBodyOf } from '../../testing/error-body.ts'
import { withPendingPayment } from '../../testing/pending-payment.ts'
import { aPayment, initiatePayment, signIn } from '../../testing/sign-in.ts'
import { createTestApp } from '../../testing/test-app.ts'

describe('POST /api/v1/auth/confirmation/initiate', () => {
  it('returns the id, the challenge and the expiry time', async () => {
    const test = await createTestApp()
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

  it('names the payload field that is missing or wrong', async () => {
    const test = await createTestApp()
    const { token } = await signIn(test)
    const refused = (actionPayload: unknown) =>
      test.call('confirmations.initiate', { actionType: 'payment_approval', actionPayload }, { token })
    expect((await refused({ currency: 'EUR', recipient: 'A' })).body).toEqual(
      errorBodyOf(400, 'actionPayload.amount: must be a number, or a decimal number as text, that is not negative'),
    )
    const user = { actionType: 'password_change', actionPayload: { userId: '' } }
    expect((await test.call('confirmations.initiate', user, { token })).body).toEqual(
      errorBodyOf(400, 'actionPayload.userId: must be given, and neither null nor empty'),
    )
    expect((await refused([])).body).toEqual({
      message: 'actionPayload: must be an object',
      statusCode: 400,
      code: 'invalid_input',
      details: { actionPayload: 'must be an object' },
    })
    const unknown = await test.call('confirmations.initiate', { actionType: 'lunch', actionPayload: {} }, { token })
    expect([unknown.status, (unknown.body as { message: string }).message]).toEqual([
      400,
      expect.stringMatching(/^actionType: must be one of payment_approval, /),
    ])
  })

  it('measures the payload size as written in the request', async () => {
    const test = await createTestApp()
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
    expect([over.status, over.body]).toEqual([
      400,
      {
        message: 'actionPayload: must be at most 4096 bytes of JSON',
        statusCode: 400,
        code: 'invalid_input',
        details: { actionPayload: 'must be at most 4096 bytes of JSON' },
      },
    ])
  })

  it('reads the original payload text only from the body', async () => {
    const test = await createTestApp()
    const { token } = await signIn(test)
    const input = { actionType: 'payment_approval', actionPayload: aPayment, actionPayloadText: '{}', caller: { userId: 99 } }
    const { confirmationId } = await test.ask('confirmations.initiate', input as never, { token })
    const { actionPayload } = await test.ask('confirmations.status', { confirmationId }, { token })
    expect(actionPayload).toEqual(aPayment)
  })

  it('refuses another confirmation when the maximum is pending', async () => {
    const test = await createTestApp({ options: { pendingConfirmationsPerUser: 1 } })
    const { token } = await withPendingPayment(test)
    const input = { actionType: 'payment_approval', actionPayload: aPayment }
    const { status, body, headers } = await test.call('confirmations.initiate', input, { token })
    expect([status, body]).toEqual([
      429,
      { message: 'Rate limit exceeded', statusCode: 429, code: 'too_many_pending_confirmations' },
    ])
    expect(headers.get('retry-after')).toBe('30')
  })

  it('notifies the devices after the response, without the payload', async () => {
    const test = await createTestApp()
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
      {
        type: 'confirmation.requested',
        pushToken: 'push-1',
        deviceId: device.id,
        confirmationId: told,
        actionType: 'payment_approval',
        count: 1,
        expiresAt,
      },
    ])
  })
})
