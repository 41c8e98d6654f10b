import { createTestCountersign, type TestCountersign } from '@countersign/storage-sqlite/testing'
import { describe, expect, it, vi } from 'vitest'
import { minutes } from '../../shared/clock.ts'
import { Invalid } from '../../shared/errors.ts'
import { approvePayment, approvePending } from '../../testing/approve-payment.ts'
import { type DeviceUser, signInNewDeviceUser } from '../../testing/sign-in.ts'
import { validPayloads } from '../../testing/valid-payloads.ts'
import type { ApprovalRequest } from '../records/approval-request.ts'
import { ApprovalNotApproved } from '../requests/errors.ts'
import { ConfirmationNotApproved } from '../use/errors.ts'
import { ConfirmationRequired } from './errors.ts'

const permission = 'payment.approve'
const policy = { permission, count: 1 } as const
const action = { actionType: 'payment_approval', actionPayload: validPayloads.payment_approval } as const

const given = async (options: object = {}) => {
  const test = await createTestCountersign({ options: { approvalPolicies: { payment_approval: policy }, ...options } })
  const user = await signInNewDeviceUser(test)
  const approved = async () => ({ confirmationId: (await approvePayment(test, user)).id, userId: user.user.id })
  const consume = (changes: object) =>
    test.countersign.confirmations.consume({ ...action, consumedBy: 'payment 1', ...changes } as never)
  return { test, user, approved, consume }
}

describe('the input of a use by the host', () => {
  it('takes every age from one millisecond to the longest', async () => {
    const { approved, consume } = await given()
    for (const maxAge of [1, minutes(10)]) {
      const used = consume({ ...(await approved()), maxAge })
      await expect(used).resolves.toHaveProperty('receipt')
    }
  })

  it('names the operation by 1 to 200 characters', async () => {
    const { approved, consume } = await given()
    const approval = await approved()
    for (const consumedBy of ['', 'x'.repeat(201)]) {
      const takes = 'must be text of 1 to 200 characters that names the one operation'
      await expect(consume({ ...approval, consumedBy })).rejects.toStrictEqual(new Invalid({ consumedBy: takes }))
    }
    await expect(consume({ ...approval, consumedBy: 'x'.repeat(200) })).resolves.toHaveProperty('receipt')
    await expect(consume({ ...(await approved()), consumedBy: 'x' })).resolves.toHaveProperty('receipt')
  })

  it.each([null, 7, 'other', {}, { query: 'SELECT 1' }])('refuses the client %j, and uses nothing', async (client) => {
    const { test, approved, consume } = await given()
    const approval = await approved()
    const use = { ...action, ...approval, consumedBy: 'payment 1' }
    const refused = test.countersign.confirmations.consume(use, { client: client as never })
    const takes = 'must be a client of PostgreSQL, such as fromPg(client), or none'
    await expect(refused).rejects.toStrictEqual(new Invalid({ client: takes }))
    await expect(consume(approval)).resolves.toHaveProperty('receipt')
  })
})

describe('an approval by a device, if the host asks the approver for a passkey', () => {
  it('no longer counts after the device was removed, and the error says so', async () => {
    const { test, user, approved, consume } = await given({ passkeyApprovals: true, approverVerification: 'always' })
    const { confirmationId, userId } = await approved()
    await test.countersign.devices.remove({ caller: user.web.caller, deviceId: user.device.id })
    const refusal = new ConfirmationNotApproved([{ userId, confirmationId, reason: 'key_removed' }])
    await expect(consume({ confirmationId, userId })).rejects.toStrictEqual(refusal)
  })
})

describe('a gate of a host whose database can share transactions', () => {
  const givenGate = async () => {
    const { storage, clock, encryptionKeys } = (await given()).test
    const test = await createTestCountersign({ storage: { ...storage, within: () => storage }, clock, encryptionKeys })
    const { caller } = (await signInNewDeviceUser(test)).web
    const build = vi.fn(() => ({ actionPayload: action.actionPayload }))
    const gate = test.countersign.createGate({ name: 'bank.pay', actionType: action.actionType, build })
    return { build, call: (within?: object) => gate({ caller, action: undefined }, within) }
  }

  it('needs the client of the host, or the word that there is none, and builds the action on that client', async () => {
    const { build, call } = await givenGate()
    for (const within of [undefined, {}]) await expect(call(within)).rejects.toThrow(/^client must be given/)
    expect(build).not.toHaveBeenCalled()
    const client = { query: async () => ({ rows: [] }) }
    for (const [given, expected] of [
      ['none', undefined],
      [client, client],
    ] as const) {
      await expect(call({ client: given })).rejects.toThrow(ConfirmationRequired)
      expect(build).toHaveBeenLastCalledWith(undefined, { client: expected })
    }
  })
})

it('a gate cannot have a list as its name', async () => {
  const { countersign } = (await given()).test
  const name = ['bank.transfer'] as unknown as string
  const make = () => countersign.createGate({ name, actionType: 'x', build: () => ({ actionPayload: {} }) })
  expect(make).toThrow(RangeError)
})

describe('using an approval request', () => {
  const givenRequest = async () => {
    const { test, user } = await given()
    const approver = await signInNewDeviceUser(test, { permissions: [permission] })
    const { approvalRequests } = test.countersign
    const start = async () => (await approvalRequests.start({ ...action, caller: user.web.caller })).id
    const consume = (requestId: string) => approvalRequests.consume({ ...action, requestId, policy, consumedBy: 'payment 1' })
    return { test, user, approver, start, consume }
  }
  const uncountedBy = async (use: Promise<unknown>) => {
    const error: unknown = await use.catch((thrown: unknown) => thrown)
    if (!(error instanceof ApprovalNotApproved)) throw new Error('the request was used')
    return error.uncounted
  }

  it('is refused without a line in the log if nobody has approved', async () => {
    const { test, start, consume } = await givenRequest()
    expect(await uncountedBy(consume(await start()))).toStrictEqual([])
    expect(test.logger.entries.map(({ event }) => event)).not.toContain('approvals_not_counted')
  })

  it('is refused while the account of its requester is locked, also if the lock did not end the request', async () => {
    const { test, user, approver, start, consume } = await givenRequest()
    const id = await start()
    await approvePending(test, approver)
    const now = test.clock.now()
    await test.storage.users.setLock(user.user.id, now, now)
    expect(await uncountedBy(consume(id))).toStrictEqual([])
    expect(await test.storage.approvalRequests.byId(id)).toMatchObject({ status: 'pending', redeemedAt: null })
  })

  const changes: readonly [string, (test: TestCountersign, id: string, earlier: string, other: DeviceUser) => void][] = [
    [
      'moves the approval of an earlier request to this one',
      ({ storage: { approvalRequests } }, id, earlier) => {
        const { confirmationsOf } = approvalRequests
        vi.spyOn(approvalRequests, 'confirmationsOf').mockImplementation(async () =>
          (await confirmationsOf(earlier)).map((vote) => ({ ...vote, approvalId: id })),
        )
      },
    ],
    [
      'names another requester',
      ({ storage: { approvalRequests } }, _, earlier, { user: { id: requestedBy } }) => {
        const { byId } = approvalRequests
        vi.spyOn(approvalRequests, 'byId').mockImplementation(
          async () => ({ ...(await byId(earlier)), requestedBy }) as ApprovalRequest,
        )
      },
    ],
  ]
  it.each(changes)('counts no approval if somebody who can only write to the database %s', async (_, change) => {
    const { test, approver, start, consume } = await givenRequest()
    const earlier = await start()
    const [vote] = await test.storage.approvalRequests.confirmationsOf(earlier)
    await approvePending(test, approver)
    const id = await start()
    change(test, id, earlier, await signInNewDeviceUser(test))
    const uncounted = [{ userId: approver.user.id, confirmationId: vote?.id, reason: 'signed_otherwise' }]
    expect(await uncountedBy(consume(id))).toStrictEqual(uncounted)
  })
})
