import { createTestCountersign } from '@countersign/storage-sqlite/testing'
import { expect, it } from 'vitest'
import { minutes } from '../../shared/clock.ts'
import { RateLimited } from '../../shared/errors.ts'
import { signIn, signInNewDeviceUser } from '../../testing/sign-in.ts'

const permission = 'payment.approve'
const action = { actionType: 'payment_approval', actionPayload: { amount: 10, currency: 'EUR', recipient: 'Ada' } } as const

/** A requester, and a way to start and withdraw a request, which never leaves an open one. */
const given = async (options: { readonly rateLimits?: 'off'; readonly approvalStartsPerHour?: number } = {}) => {
  const test = await createTestCountersign({
    options: { approvalPolicies: { payment_approval: { permission, count: 1 } }, ...options },
  })
  const requester = await signInNewDeviceUser(test)
  await signInNewDeviceUser(test, { permissions: [permission] })
  const { approvalRequests } = test.countersign
  type Caller = Parameters<typeof approvalRequests.start>[0]['caller']
  const startAndWithdraw = async (caller: Caller = requester.web.caller) => {
    const { id } = await approvalRequests.start({ ...action, caller })
    await approvalRequests.withdraw({ caller: requester.web.caller, approvalId: id })
  }
  const startTimes = async (times: number, caller?: Caller) => {
    for (let time = 0; time < times; time += 1) await startAndWithdraw(caller)
  }
  return { ...test, requester, startAndWithdraw, startTimes }
}

it('a user starts at most 40 approval requests an hour, in any number of sessions, also if each is withdrawn', async () => {
  const test = await given()
  await test.startTimes(20)
  const { caller } = await signIn(test, test.requester.user)
  await test.startTimes(20, caller)
  const another = await signIn(test, test.requester.user)
  await expect(test.startAndWithdraw(another.caller)).rejects.toStrictEqual(new RateLimited(minutes(60)))
  test.clock.advance(minutes(60))
  await test.startAndWithdraw(another.caller)
})

it('the starts of one user do not count for another user', async () => {
  const test = await given({ approvalStartsPerHour: 1 })
  await test.startTimes(1)
  await expect(test.startAndWithdraw()).rejects.toThrow(RateLimited)
  const other = await signInNewDeviceUser(test)
  await expect(test.countersign.approvalRequests.start({ ...action, caller: other.web.caller })).resolves.toBeDefined()
})

it('a refused start does not count', async () => {
  const test = await given({ approvalStartsPerHour: 1 })
  const refused = { ...action, actionType: 'document_approval', actionPayload: { documentId: 'd', documentName: 'n' } } as const
  const { caller } = test.requester.web
  await expect(test.countersign.approvalRequests.start({ ...refused, caller })).rejects.toThrow('policy')
  await test.startAndWithdraw()
})

it('starts of a host without a session, and starts without rate limits, are not counted', async () => {
  const test = await given({ approvalStartsPerHour: 1 })
  await test.startTimes(3, { userId: test.requester.user.id })
  const off = await given({ approvalStartsPerHour: 1, rateLimits: 'off' })
  await off.startTimes(3)
})
