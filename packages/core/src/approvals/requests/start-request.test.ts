import { createTestCountersign, type TestCountersign } from '@countersign/storage-sqlite/testing'
import { describe, expect, it, vi } from 'vitest'
import { InvalidAccessToken } from '../../identity/authentication/errors.ts'
import { type DeviceUser, signInNewDeviceUser } from '../../testing/sign-in.ts'
import { TooManyApprovalRequests } from './errors.ts'

const permission = 'payment.approve'
const action = { actionType: 'payment_approval', actionPayload: { amount: 10, currency: 'EUR', recipient: 'Ada' } } as const
const approvalPolicies = { payment_approval: { permission, count: 1 } } as const

const start = ({ countersign }: TestCountersign, { web: { caller } }: DeviceUser) =>
  countersign.approvalRequests.start({ ...action, caller })

/** A requester who can have one open request, and two approvers. */
const given = async (options: object = {}) => {
  const test = await createTestCountersign({ options: { approvalPolicies, openApprovalRequestsPerUser: 1, ...options } })
  const requester = await signInNewDeviceUser(test)
  const approvers = [
    await signInNewDeviceUser(test, { permissions: [permission], pushToken: 'push-one' }),
    await signInNewDeviceUser(test, { permissions: [permission], pushToken: 'push-two' }),
  ]
  return { test, requester, approvers }
}

describe('starting an approval request', () => {
  it('notifies the devices of every approver', async () => {
    const { test, requester, approvers } = await given()
    await test.background.drain()
    const before = test.push.sent.length
    await start(test, requester)
    await test.background.drain()
    const notified = test.push.sent
      .slice(before)
      .filter(({ type }) => type === 'confirmation.requested')
      .map(({ deviceId }) => deviceId)
    expect(new Set(notified)).toStrictEqual(new Set(approvers.map(({ device }) => device.id)))
  })

  it('is refused with the most open requests, and such a refusal does not count as one of the starts of an hour', async () => {
    const { test, requester } = await given({ approvalStartsPerHour: 2 })
    const { id: approvalId } = await start(test, requester)
    for (let time = 0; time < 3; time += 1) {
      await expect(start(test, requester)).rejects.toStrictEqual(new TooManyApprovalRequests())
    }
    await test.countersign.approvalRequests.withdraw({ caller: requester.web.caller, approvalId })
    await start(test, requester)
  })

  it('succeeds once if two start at the same time and only one may be open', async () => {
    const { test, requester } = await given()
    const outcomes = await Promise.allSettled([start(test, requester), start(test, requester)])
    const refused = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []))
    expect(refused).toStrictEqual([new TooManyApprovalRequests()])
  })

  it('is refused as for any ended session if the session ends during the call', async () => {
    const { test, requester } = await given()
    const { open } = test.storage.approvalRequests
    vi.spyOn(test.storage.approvalRequests, 'open').mockImplementationOnce(async (...request) => {
      await test.countersign.sessions.revoke({ id: requester.web.caller.sessionId })
      return open(...request)
    })
    await expect(start(test, requester)).rejects.toStrictEqual(new InvalidAccessToken())
  })
})
