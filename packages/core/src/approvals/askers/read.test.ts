import { createTestCountersign } from '@countersign/storage-sqlite/testing'
import { describe, expect, it } from 'vitest'
import { MissingScope } from '../../identity/authentication/calling-service.ts'
import { minutes, seconds } from '../../shared/clock.ts'
import { clockStart } from '../../testing/fake-clock.ts'
import { initiatePayment } from '../../testing/initiate-payment.ts'
import { signInNewDeviceUser, signInNewUser } from '../../testing/sign-in.ts'
import { validPayloads } from '../../testing/valid-payloads.ts'
import { ConfirmationNotFound } from '../confirmations/errors.ts'
import { ApprovalNotFound } from '../requests/errors.ts'

const given = async () => {
  const test = await createTestCountersign()
  const { web, mobile, device, signer } = await signInNewDeviceUser(test)
  const confirmation = await initiatePayment(test, web.caller)
  const status = async (caller = web.caller) => test.countersign.confirmations.status({ caller, confirmationId: confirmation.id })
  return { test, web, mobile, device, signer, confirmation, status }
}

describe('the status of a confirmation', () => {
  it('is returned with the payload and all times', async () => {
    const { confirmation, status, web } = await given()
    expect(await status()).toStrictEqual({
      id: confirmation.id,
      userId: web.user.id,
      actionType: 'payment_approval',
      actionPayloadText: JSON.stringify(validPayloads.payment_approval),
      status: 'pending',
      challenge: confirmation.challenge,
      nonce: expect.stringMatching(/^[A-Za-z0-9+/]{86}==$/),
      requestedFrom: { address: null, userAgent: null },
      numberMatching: false,
      actionTypeVersion: null,
      display: expect.objectContaining({ en: expect.objectContaining({ title: 'Payment' }) }),
      statementText: expect.stringContaining(`"confirmationId":"${confirmation.id}"`),
      withdrawnAt: null,
      approvedAt: null,
      consumedAt: null,
      voidedAt: null,
      reason: null,
      createdAt: clockStart,
      expiresAt: clockStart + minutes(5),
      updatedAt: clockStart,
    })
  })

  it('is pending before `expiresAt`, and expired from that millisecond on', async () => {
    const { test, confirmation, status } = await given()
    const at = async (instant: number) => {
      test.clock.set(instant)
      return (await status()).status
    }
    expect(await at(confirmation.expiresAt - 1)).toBe('pending')
    expect(await at(confirmation.expiresAt)).toBe('expired')
    expect(await at(confirmation.expiresAt + 1)).toBe('expired')
  })

  it('has the time of expiry as `updatedAt` after the confirmation has expired', async () => {
    const { test, confirmation, status } = await given()
    for (const later of [0, 1, minutes(60)]) {
      test.clock.set(confirmation.expiresAt + later)
      expect(await status()).toMatchObject({ status: 'expired', updatedAt: confirmation.expiresAt })
    }
    test.clock.set(confirmation.expiresAt - 1)
    expect(await status()).toMatchObject({ status: 'pending', updatedAt: clockStart })
  })

  it('expires after the lifetime that a host sets', async () => {
    const test = await createTestCountersign({ options: { confirmationLifetime: seconds(10) } })
    const { caller } = await signInNewUser(test)
    expect((await initiatePayment(test, caller)).expiresAt).toBe(clockStart + seconds(10))
  })

  it('stays approved or rejected for ever, with the time of the decision', async () => {
    const { test, web, mobile, device, signer, confirmation } = await given()
    const { countersign, clock } = test
    const other = await initiatePayment(test, web.caller)
    clock.advance(seconds(9))
    const signedChallenge = signer.sign(confirmation.challenge)
    await countersign.confirmations.approve({
      caller: mobile.caller,
      confirmationId: confirmation.id,
      deviceId: device.id,
      signedChallenge,
    })
    await countersign.confirmations.reject({ caller: web.caller, confirmationId: other.id })
    clock.advance(minutes(60))
    const read = (confirmationId: string) => countersign.confirmations.status({ caller: web.caller, confirmationId })
    expect(await read(confirmation.id)).toMatchObject({ status: 'approved', updatedAt: clockStart + seconds(9) })
    expect(await read(other.id)).toMatchObject({ status: 'rejected', updatedAt: clockStart + seconds(9) })
  })

  it('can be read in every session of the user', async () => {
    const { status, mobile } = await given()
    expect(await status(mobile.caller)).toMatchObject({ status: 'pending' })
  })

  it('is not found by another user, like an unknown id', async () => {
    const { test, status, web } = await given()
    const stranger = (await signInNewUser(test)).caller
    await expect(status(stranger)).rejects.toStrictEqual(new ConfirmationNotFound())
    for (const confirmationId of ['conf_00000000-0000-4000-8000-000000000000', 'x', '%', "' OR 1=1"]) {
      const reading = test.countersign.confirmations.status({ caller: web.caller, confirmationId })
      await expect(reading).rejects.toStrictEqual(new ConfirmationNotFound())
    }
  })

  it('is found only by the exact id', async () => {
    const { test, web, confirmation } = await given()
    for (const confirmationId of [confirmation.id.toUpperCase(), ` ${confirmation.id}`, confirmation.id.slice('conf_'.length)]) {
      const reading = test.countersign.confirmations.status({ caller: web.caller, confirmationId })
      await expect(reading).rejects.toThrow(ConfirmationNotFound)
    }
  })

  it('is not found by a service that is bound to other tenants, or if it is the vote for a request of several people', async () => {
    const approvalPolicies = { payment_approval: { permission: 'payment.approve', count: 1 } } as const
    const test = await createTestCountersign({ options: { approvalPolicies } })
    const { confirmations, services, approvalRequests } = test.countersign
    const requester = await signInNewDeviceUser(test, { permissions: ['payment.ask@acme'] })
    const approver = await signInNewDeviceUser(test, { permissions: ['payment.approve'] })
    const action = { actionType: 'payment_approval', actionPayload: validPayloads.payment_approval } as const
    const { id } = await confirmations.initiate({ ...action, tenant: 'acme', caller: requester.web.caller })
    const service = { name: 'billing', scopes: ['confirmation.read:payment_approval'] }
    expect(await services.confirmation({ service: { ...service, within: ['acme'] }, confirmationId: id })).toMatchObject({ id })
    const elsewhere = services.confirmation({ service: { ...service, within: ['other'] }, confirmationId: id })
    await expect(elsewhere).rejects.toStrictEqual(new ConfirmationNotFound())
    await approvalRequests.start({ ...action, caller: requester.web.caller })
    const [vote] = await confirmations.pending({ caller: approver.mobile.caller })
    const ofVote = services.confirmation({ service, confirmationId: vote?.id ?? '' })
    await expect(ofVote).rejects.toStrictEqual(new ConfirmationNotFound())
  })

  it('can be read after a rotation of the encryption key', async () => {
    const { test, web, confirmation } = await given()
    const next = await createTestCountersign()
    const encryptionKeys = {
      current: next.encryptionKeys.current,
      secrets: new Map([...next.encryptionKeys.secrets, ...test.encryptionKeys.secrets]),
    }
    const rotated = await createTestCountersign({ storage: test.storage, encryptionKeys })
    const read = await rotated.countersign.confirmations.status({ caller: web.caller, confirmationId: confirmation.id })
    expect(JSON.parse(read.actionPayloadText)).toStrictEqual(validPayloads.payment_approval)
  })
})

describe('a service that may read no action type', () => {
  it('gets the same error for every confirmation, whether there is one with this id or not', async () => {
    const { test, confirmation } = await given()
    const service = { name: 'billing', scopes: ['confirmation.redeem:payment_approval'] }
    for (const confirmationId of [confirmation.id, 'conf_unknown']) {
      await expect(test.countersign.services.confirmation({ service, confirmationId })).rejects.toThrow(MissingScope)
    }
  })
})

describe('the status of an approval request', () => {
  it('is not found in another tenant than the token of the service, like an unknown id', async () => {
    const approvalPolicies = { payment_approval: { permission: 'payment.approve', count: 1 } } as const
    const test = await createTestCountersign({ options: { approvalPolicies } })
    const { caller } = await signInNewUser(test, { permissions: ['payment.ask@acme'] })
    await signInNewDeviceUser(test, { permissions: ['payment.approve'] })
    const { start, read, readForService } = test.countersign.approvalRequests
    const action = { actionType: 'payment_approval', actionPayload: validPayloads.payment_approval } as const
    const { id: approvalId } = await start({ ...action, tenant: 'acme', caller })
    const service = { name: 'billing', scopes: ['approval.read:payment_approval'] }
    expect(await readForService({ service: { ...service, within: ['acme'] }, approvalId })).toMatchObject({ id: approvalId })
    const notFound = new ApprovalNotFound()
    await expect(readForService({ service: { ...service, within: ['other'] }, approvalId })).rejects.toStrictEqual(notFound)
    await expect(readForService({ service, approvalId: 'appr_unknown' })).rejects.toStrictEqual(notFound)
    await expect(read({ caller, approvalId: 'appr_unknown' })).rejects.toStrictEqual(notFound)
  })
})
