import { randomUUID } from 'node:crypto'
import { createTestDevice } from '@countersign/core/testing'
import { describe, expect, it } from 'vitest'
import { withPendingPayment } from '../../testing/pending-payment.ts'
import { registerDevice, signInWithDevice } from '../../testing/sign-in.ts'
import { createTestApp } from '../../testing/test-app.ts'

const NOT_FOUND = { message: 'Confirmation not found', statusCode: 404, code: 'confirmation_not_found' }
const USED = { message: 'Action confirmation token already used', statusCode: 410, code: 'confirmation_used' }
const EXPIRED = { message: 'Action confirmation expired', statusCode: 410, code: 'confirmation_expired' }

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

  it('requires a token of high trust', async () => {
    const test = await createTestApp()
    const { verify, token } = await withPendingPayment(test)
    const { status, body } = await verify(undefined, token)
    expect([status, body]).toEqual([
      403,
      { message: 'Insufficient trust level', statusCode: 403, code: 'insufficient_trust_level' },
    ])
  })

  it('requires the token of the signing device', async () => {
    const test = await createTestApp()
    const { verify, token } = await withPendingPayment(test)
    const { device } = await registerDevice(test, token)
    const { status, body } = await verify(undefined, undefined, device.id)
    expect([status, body]).toEqual([
      403,
      { message: 'The token belongs to another device', statusCode: 403, code: 'other_device' },
    ])
  })

  it('answers 404 for a confirmation of another user', async () => {
    const test = await createTestApp()
    const { confirmationId } = await withPendingPayment(test)
    const other = await signInWithDevice(test)
    const input = { confirmationId, deviceId: other.device.id, signedChallenge: other.signer.sign('any') }
    const { status, body } = await test.call('confirmations.verify', input, { token: other.deviceToken })
    expect([status, body]).toEqual([404, NOT_FOUND])
  })

  it('refuses wrong signatures, and every signature after the fifth wrong one', async () => {
    const test = await createTestApp()
    const { verify } = await withPendingPayment(test)
    const stranger = createTestDevice('ES256')
    for (let attempt = 0; attempt < 5; attempt += 1) {
      const { status, body } = await verify(stranger.sign('any'))
      expect([status, body]).toEqual([
        401,
        { message: 'Invalid device signature', statusCode: 401, code: 'wrong_confirmation_signature' },
      ])
    }
    const { status, body } = await verify()
    expect([status, body]).toEqual([410, USED])
  })

  it('refuses a signature from the millisecond of expiry', async () => {
    const test = await createTestApp()
    const { verify } = await withPendingPayment(test)
    test.clock.advance(300_000)
    const { status, body } = await verify()
    expect([status, body]).toEqual([410, EXPIRED])
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

  it('refuses a settled, expired or foreign confirmation', async () => {
    const test = await createTestApp()
    const settled = await withPendingPayment(test)
    await settled.reject()
    expect((await settled.reject()).body).toEqual(USED)
    const open = await withPendingPayment(test)
    expect((await open.reject(settled.token)).body).toEqual(NOT_FOUND)
    test.clock.advance(300_000)
    expect((await open.reject()).body).toEqual(EXPIRED)
  })

  it('limits the length of the reason', async () => {
    const test = await createTestApp()
    const { confirmationId, token } = await withPendingPayment(test)
    const { status, body } = await test.call('confirmations.reject', { confirmationId, reason: 'x'.repeat(1001) }, { token })
    expect([status, body]).toEqual([
      400,
      {
        message: 'reason: must be text of at most 1000 characters',
        statusCode: 400,
        code: 'invalid_input',
        details: { reason: 'must be text of at most 1000 characters' },
      },
    ])
  })
})
