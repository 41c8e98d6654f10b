import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { withPendingPayment } from '../../testing/pending-payment.ts'
import { createTestApp } from '../../testing/test-app.ts'

const USED = { message: 'Action confirmation token already used', statusCode: 410, code: 'confirmation_used' }

describe('POST /api/v1/auth/confirmation/{id}/verify', () => {
  it('approves once', async () => {
    const test = await createTestApp()
    const { verify, status, confirmationId } = await withPendingPayment(test)
    const first = await verify()
    expect([first.status, first.body]).toEqual([200, { data: { success: true, confirmationId, status: 'approved' } }])
    expect((await status()).body).toMatchObject({ data: { status: 'approved' } })
    const second = await verify()
    expect([second.status, second.body]).toEqual([410, USED])
  })

  it('takes the id from the path, not from the body', async () => {
    const test = await createTestApp()
    const { confirmationId, device, signer, challenge, deviceToken } = await withPendingPayment(test)
    const json = { confirmationId, deviceId: device.id, signedChallenge: signer.sign(challenge) }
    const path = `/api/v1/auth/confirmation/conf_${randomUUID()}/verify`
    expect((await test.send('POST', path, { json, token: deviceToken })).status).toBe(404)
  })
})

describe('POST /api/v1/auth/confirmation/{id}/reject', () => {
  it('rejects from any session of the user, also without a body', async () => {
    const test = await createTestApp()
    const { confirmationId, token, verify } = await withPendingPayment(test)
    const { status, body } = await test.send('POST', `/api/v1/auth/confirmation/${confirmationId}/reject`, { token })
    expect([status, body]).toEqual([200, { data: { success: true, confirmationId, status: 'rejected' } }])
    expect((await verify()).body).toEqual(USED)
  })
})
