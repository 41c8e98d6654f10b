import { describe, expect, it } from 'vitest'
import { errorBodyOf } from '../../testing/error-body.ts'
import { aPayment, signIn } from '../../testing/sign-in.ts'
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
    expect([over.status, over.body]).toEqual([400, errorBodyOf(400, 'actionPayload: must be at most 4096 bytes of JSON')])
  })
})
