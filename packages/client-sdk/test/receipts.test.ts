import { verifyReceipt } from '@countersign/client-sdk/receipt'
import { describe, expect, it } from 'vitest'
import {
  APPROVES,
  aPayment,
  approvePending,
  initiatePayment,
  serviceToken,
  signInWithDevice,
  startRequest,
} from '../../server/src/testing/sign-in.ts'
import { createTestApp, type TestApp } from '../../server/src/testing/test-app.ts'

/** Has a payment approved, and returns its receipt. */
const receiptOf = async (
  test: TestApp,
  { algorithm, over }: { readonly algorithm: 'ES256' | 'RS256' | 'PS256'; readonly over: 'text' | 'bytes' },
) => {
  const user = await signInWithDevice(test, { algorithm })
  const { confirmationId, challenge } = await initiatePayment(test, user.token)
  const signedChallenge = user.signer.sign(challenge, { over })
  await test.ask(
    'confirmations.verify',
    { confirmationId, deviceId: user.device.id, signedChallenge },
    { token: user.deviceToken },
  )
  const { receipt } = await test.ask('confirmations.receipt', { confirmationId }, { token: user.token })
  return { user, confirmationId, receipt }
}

const keysOf = (test: TestApp) => test.ask('receipts.keys', {})

describe('a receipt of the service', () => {
  it.each([
    ['ES256', 'text'],
    ['ES256', 'bytes'],
    ['RS256', 'text'],
    ['RS256', 'bytes'],
    ['PS256', 'text'],
    ['PS256', 'bytes'],
  ] as const)('of a device with %s that signed the %s is genuine', async (algorithm, over) => {
    const test = await createTestApp()
    const { user, confirmationId, receipt } = await receiptOf(test, { algorithm, over })
    expect(await verifyReceipt(receipt, { keys: await keysOf(test) })).toMatchObject({
      verdict: 'genuine',
      confirmation: { id: confirmationId },
      device: { id: user.device.id, algorithm },
      statement: { subject: { id: user.user.id }, actionType: 'payment_approval' },
      registration: { userId: user.user.id },
      approver: { email: user.user.email },
    })
  })

  it('is refused with the keys of another service', async () => {
    const { receipt } = await receiptOf(await createTestApp(), { algorithm: 'ES256', over: 'text' })
    const keys = await keysOf(await createTestApp())
    expect(await verifyReceipt(receipt, { keys })).toMatchObject({ verdict: 'refused', step: 'key' })
  })

  it('stays genuine after the key is retired, and is refused after the key is revoked', async () => {
    const test = await createTestApp()
    const { receipt } = await receiptOf(test, { algorithm: 'ES256', over: 'text' })
    const [{ kid } = { kid: '' }] = await test.countersign.receipts.keys()
    await test.countersign.receipts.retireKey({ kid })
    expect(await verifyReceipt(receipt, { keys: await keysOf(test) })).toMatchObject({ verdict: 'genuine' })
    await test.countersign.receipts.revokeKey({ kid, reason: 'stolen' })
    const keys = await keysOf(test)
    expect(keys.keys).toMatchObject([{ kid, revoked: { reason: 'stolen' } }])
    expect(await verifyReceipt(receipt, { keys })).toMatchObject({ verdict: 'refused', step: 'key' })
  })

  it('has keys that the service serves with the media type of JWK sets', async () => {
    const answer = await (await createTestApp()).send('GET', '/.well-known/countersign/receipt-keys')
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-type')).toBe('application/jwk-set+json')
    expect(answer.body).toMatchObject({ keys: [{ kty: 'OKP', crv: 'Ed25519', alg: 'Ed25519', use: 'sig' }] })
    expect(answer.text).not.toContain('"d"')
  })
})

it('the receipts of a redeemed approval request name the request, the requester and the count, and each is genuine', async () => {
  const test = await createTestApp()
  const requester = await signInWithDevice(test)
  const { approvalId, approvers } = await startRequest(test, requester.token)
  for (const approver of approvers) await approvePending(test, approver)
  const { receipts } = await test.ask(
    'services.redeemApproval',
    { approvalId, actionType: 'payment_approval', actionPayload: aPayment, permission: APPROVES, count: 2 },
    { token: await serviceToken(test) },
  )
  const keys = await keysOf(test)
  const verdicts = await Promise.all(receipts.map((receipt) => verifyReceipt(receipt, { keys })))
  const ofRequest = {
    domain: 'countersign.approval.v1',
    approval: { id: approvalId, count: 2 },
    requester: { kind: 'user', id: requester.user.id },
  }
  const ofApprover = ({ user }: { readonly user: { readonly id: number; readonly email: string } }) => ({
    verdict: 'genuine',
    unchecked: [],
    statement: { ...ofRequest, subject: { id: user.id }, actionType: 'payment_approval', actionPayload: aPayment },
    approver: { email: user.email },
  })
  expect(verdicts).toHaveLength(2)
  for (const approver of approvers) {
    const own = verdicts.find((verdict) => verdict.verdict !== 'refused' && verdict.statement?.subject.id === approver.user.id)
    expect(own).toMatchObject(ofApprover(approver))
  }
})
