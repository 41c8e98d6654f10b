import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { withPendingPayment } from '../../testing/pending-payment.ts'
import { aPayment, signIn } from '../../testing/sign-in.ts'
import { createTestApp } from '../../testing/test-app.ts'

describe('GET /api/v1/auth/confirmation/{id}/status', () => {
  it('returns the payload exactly as it was received', async () => {
    const test = await createTestApp()
    const { token } = await signIn(test)
    const payload = '{ "10": 1,\n "9":2.50 , "amount": 1e2, "currency":"EUR","recipient":"\\u00e9é", "big": 12345678901234567000}'
    const body = `{"actionType":"payment_approval","actionPayload":${payload}}`
    const headers = { 'content-type': 'application/json' }
    const initiated = await test.send('POST', '/api/v1/auth/confirmation/initiate', { token, headers, body })
    const { confirmationId } = (initiated.body as { data: { confirmationId: string } }).data
    const { status, text } = await test.call('confirmations.status', { confirmationId }, { token })
    expect(status).toBe(200)
    expect(text).toBe(
      `{"data":{"confirmationId":"${confirmationId}","status":"pending",` +
        '"createdAt":"2026-01-05T09:00:00.000Z","expiresAt":"2026-01-05T09:05:00.000Z","updatedAt":"2026-01-05T09:00:00.000Z",' +
        `"actionType":"payment_approval","actionPayload":${payload}}}`,
    )
  })

  it('returns the reason of a rejection in extended answers only', async () => {
    const test = await createTestApp()
    const { token, confirmationId } = await withPendingPayment(test)
    const extended = { token, headers: { 'countersign-extended': '1' } }
    expect(await test.ask('confirmations.status', { confirmationId }, extended)).toMatchObject({
      status: 'pending',
      reason: null,
    })
    await test.ask('confirmations.reject', { confirmationId, reason: 'Not mine “€”' }, { token })
    expect(await test.ask('confirmations.status', { confirmationId }, extended)).toMatchObject({ reason: 'Not mine “€”' })
    const plain = await test.ask('confirmations.status', { confirmationId }, { token })
    expect(plain).toMatchObject({ status: 'rejected', actionPayload: aPayment })
    expect(plain).not.toHaveProperty('reason')
  })
})

describe('GET /api/v1/auth/confirmation/pending', () => {
  it('returns what the device needs to verify and sign', async () => {
    const test = await createTestApp()
    const { user, deviceToken, confirmationId, challenge } = await withPendingPayment(test)
    const { confirmations } = await test.ask('confirmations.pending', {}, { token: deviceToken })
    const lines = [
      { label: 'Amount', value: '\u20681,250.50 EUR\u2069', lead: true },
      { label: 'Recipient', value: `\u2068${aPayment.recipient}\u2069`, lead: true },
      { label: 'Asked by', value: `\u2068${user.email}\u2069` },
    ]
    const action = {
      confirmationId,
      actionType: 'payment_approval',
      actionTypeVersion: null,
      actionPayload: aPayment,
      display: expect.objectContaining({ en: { direction: 'ltr', title: 'Payment', lines } }),
      createdAt: '2026-01-05T09:00:00.000Z',
      expiresAt: '2026-01-05T09:05:00.000Z',
    }
    expect(confirmations).toEqual([
      {
        ...action,
        challenge,
        nonce: expect.stringMatching(/^[A-Za-z0-9+/]{86}==$/),
        statement: {
          ...action,
          iss: 'https://auth.example.com',
          tenant: null,
          subject: { id: user.id, externalId: null },
          requester: { kind: 'user', id: user.id, externalId: null, name: user.email },
          onBehalfOf: null,
          context: null,
          operation: null,
        },
        requestedFrom: { address: '203.0.113.1', userAgent: null, at: '2026-01-05T09:00:00.000Z' },
        numberMatching: false,
      },
    ])
    // The answer has the statement as its canonical text.
    for (const { nonce, challenge: given, statement } of confirmations) {
      const hash = createHash('sha512').update('countersign.confirmation.v1\0').update(Buffer.from(nonce, 'base64'))
      expect(hash.update(JSON.stringify(statement)).digest('base64')).toBe(given)
    }
  })
})
