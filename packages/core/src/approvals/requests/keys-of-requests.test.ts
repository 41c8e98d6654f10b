import { createTestCountersign, type TestCountersign } from '@countersign/storage-sqlite/testing'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { approvePending } from '../../testing/approve-payment.ts'
import {
  createTestUser,
  type DeviceUser,
  registerTestDevice,
  signIn,
  signInByDevice,
  signInNewDeviceUser,
} from '../../testing/sign-in.ts'
import { createTestDevice, type TestDevice } from '../../testing/test-device.ts'
import { validPayloads } from '../../testing/valid-payloads.ts'
import { ApprovalNotApproved, SameKey, TooFewApprovers } from './errors.ts'

const permission = 'payment.approve'
const action = { actionType: 'payment_approval', actionPayload: validPayloads.payment_approval } as const

/** Two approvals are needed. Some phones have the same key, for example because two people share a phone. */
let test: TestCountersign
let requester: DeviceUser
beforeEach(async () => {
  test = await createTestCountersign({ options: { approvalPolicies: { payment_approval: { permission, count: 2 } } } })
  requester = await aUserWith(createTestDevice('ES256'))
})

const aUserWith = (signer: TestDevice): Promise<DeviceUser> => signInNewDeviceUser(test, { permissions: [permission], signer })
const start = () => test.countersign.approvalRequests.start({ ...action, caller: requester.web.caller })
const approves = (user: DeviceUser) => approvePending(test, user)
const approvalsOf = async (approvalId: string) =>
  (await test.countersign.approvalRequests.read({ approvalId, caller: requester.web.caller })).approvals
const redeem = (approvalId: string) => {
  const service = { name: 'billing', scopes: ['approval.redeem:payment_approval'] }
  return test.countersign.approvalRequests.redeem({ ...action, approvalId, permission, count: 2, service })
}

describe('a device key', () => {
  it('approves a request for one user only, who may approve with another device', async () => {
    const shared = createTestDevice('ES256')
    const [one, other] = [await aUserWith(shared), await aUserWith(shared)]
    await aUserWith(createTestDevice('ES256'))
    const { id } = await start()
    await approves(one)
    await expect(approves(other)).rejects.toStrictEqual(new SameKey())
    expect(await approvalsOf(id)).toBe(1)
    await expect(redeem(id)).rejects.toThrow(ApprovalNotApproved)
    const second = await registerTestDevice(test, other.web.caller)
    await approves({ ...other, ...second, mobile: await signInByDevice(test, second) })
    expect(await approvalsOf(id)).toBe(2)
    await expect(redeem(id)).resolves.toMatchObject({ id })
  })

  it('of the requester approves no request of the requester, also after the device was removed', async () => {
    for (const isRemoved of [false, true]) {
      const accomplice = await aUserWith(createTestDevice('ES256'))
      await aUserWith(createTestDevice('ES256'))
      const second = await registerTestDevice(test, accomplice.web.caller, { signer: requester.signer })
      const byKeyOfRequester = { ...accomplice, ...second, mobile: await signInByDevice(test, second) }
      const { caller } = requester.web
      if (isRemoved) await test.countersign.devices.remove({ caller, deviceId: requester.device.id })
      await start()
      await expect(approves(byKeyOfRequester)).rejects.toStrictEqual(new SameKey())
    }
  })

  it("no longer counts as an approver's once the requester registers the same key", async () => {
    const [one, other] = [await aUserWith(createTestDevice('ES256')), await aUserWith(createTestDevice('ES256'))]
    const { id } = await start()
    for (const user of [one, other]) await approves(user)
    expect(await approvalsOf(id)).toBe(2)
    await registerTestDevice(test, requester.web.caller, { signer: one.signer })
    expect(await approvalsOf(id)).toBe(1)
    await expect(redeem(id)).rejects.toThrow(ApprovalNotApproved)
  })

  it('is compared without reading the removed devices of the requester, whose number has no limit', async () => {
    for (const signer of [requester.signer, createTestDevice('ES256')]) {
      const { device } = await registerTestDevice(test, requester.web.caller, { signer })
      await test.countersign.devices.remove({ caller: requester.web.caller, deviceId: device.id })
    }
    const lists = [vi.spyOn(test.storage.devices, 'removedOfUser'), vi.spyOn(test.storage.devices, 'allOfUser')]
    const approvers = [await aUserWith(createTestDevice('ES256')), await aUserWith(createTestDevice('ES256'))]
    const { id } = await start()
    for (const one of approvers) await approves(one)
    expect(await approvalsOf(id)).toBe(2)
    await redeem(id)
    for (const list of lists) expect(list.mock.calls.filter(([userId]) => userId === requester.user.id)).toEqual([])
  })
})

describe('a request is not started', () => {
  it('if the approvers have too few keys', async () => {
    const shared = createTestDevice('ES256')
    await aUserWith(shared)
    await aUserWith(shared)
    await expect(start()).rejects.toThrow(TooFewApprovers)
    await aUserWith(createTestDevice('ES256'))
    await expect(start()).resolves.toBeDefined()
  })

  it('if an approver has only a key that the requester has too', async () => {
    await aUserWith(createTestDevice('ES256'))
    const accomplice = await aUserWith(requester.signer)
    await expect(start()).rejects.toThrow(TooFewApprovers)
    await registerTestDevice(test, accomplice.web.caller)
    await expect(start()).resolves.toBeDefined()
  })

  it('if one approver has several keys and the others have no other keys', async () => {
    const one = await aUserWith(createTestDevice('ES256'))
    await registerTestDevice(test, one.web.caller)
    await aUserWith(requester.signer)
    await expect(start()).rejects.toThrow(TooFewApprovers)
  })

  it('if an approver has no trusted device', async () => {
    await aUserWith(createTestDevice('ES256'))
    const other = await signIn(test, await createTestUser(test, { permissions: [permission] }))
    await expect(start()).rejects.toThrow(TooFewApprovers)
    await registerTestDevice(test, other.caller)
    await expect(start()).resolves.toBeDefined()
  })
})
