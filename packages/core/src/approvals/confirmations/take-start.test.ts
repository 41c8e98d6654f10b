import { createTestCountersign } from '@countersign/storage-sqlite/testing'
import { describe, expect, it } from 'vitest'
import { perMinute, type RateLimits } from '../../identity/rate-limits/limits.ts'
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

describe('confirmations that are withdrawn at once', () => {
  /** Each session may start two a minute, and six in any three minutes. */
  const rateLimits = { confirmation: perMinute(2, minutes(3), 2) } as RateLimits

  const givenLimits = async (limits: RateLimits | 'off') => {
    const test = await createTestCountersign({ options: { rateLimits: limits } })
    const { user } = await signInNewDeviceUser(test)
    const { confirmations } = test.countersign
    type Asker = Parameters<typeof confirmations.initiate>[0]['caller']
    const initiateTimes = async (times: number, caller?: Asker) => {
      const by = caller ?? (await signIn(test, user)).caller
      for (let time = 0; time < times; time += 1) {
        const { id } = await confirmations.initiate({ ...action, caller: by })
        await confirmations.withdraw({ caller: by, confirmationId: id })
      }
    }
    return { ...test, user, initiateTimes }
  }

  it('count for the user: all sessions together start no more than one session may in its window', async () => {
    const test = await givenLimits(rateLimits)
    for (let session = 0; session < 3; session += 1) await test.initiateTimes(2)
    await expect(test.initiateTimes(1)).rejects.toStrictEqual(new RateLimited(minutes(3)))
    const other = await signInNewDeviceUser(test)
    await test.initiateTimes(1, other.web.caller)
    test.clock.advance(minutes(3))
    await test.initiateTimes(6)
  })

  it('are not counted without a session, and without rate limits', async () => {
    const test = await givenLimits(rateLimits)
    await test.initiateTimes(7, { userId: test.user.id })
    const off = await givenLimits('off')
    await off.initiateTimes(7)
  })

  it('may be 1200 an hour by default', async () => {
    const test = await createTestCountersign()
    const { web } = await signInNewDeviceUser(test)
    const asked: [string, unknown][] = []
    const rateLimitStore: typeof test.storage.rateLimits = {
      ...test.storage.rateLimits,
      take: (key, limit, now) => {
        asked.push([key, limit])
        return test.storage.rateLimits.take(key, limit, now)
      },
    }
    const { countersign } = await createTestCountersign({ ...test, rateLimitStore })
    await countersign.confirmations.initiate({ ...action, caller: web.caller })
    const limit = { burst: 1200, refillMs: 3000, windowMax: 1200, windowMs: minutes(60) }
    expect(asked).toStrictEqual([[`confirmation-start:user:${web.caller.userId}`, limit]])
  })
})
