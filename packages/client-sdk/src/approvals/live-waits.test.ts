import { testPassword } from '@countersign/core/testing'
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { startRealServer } from '../../../server/src/testing/real-server.ts'
import type { LiveClient } from '../client.ts'
import { createClient } from '../create-client.ts'
import { liveEvents } from '../events/index.ts'
import type { Fetch } from '../http/send.ts'
import { aPayment, createApprover, createDeviceClient } from '../testing/device-client.ts'

afterEach(() => void vi.useRealTimers())

const policy = { permission: 'payment.approve', count: 1 } as const

/** A page with live events on a real server. The timers of the page do not run, unless the test advances them. */
const openPage = async (streaming: Fetch = fetch) => {
  const given = await createDeviceClient()
  const { test, email, phone, signer } = given
  await test.countersign.actionPolicies.set({ actionType: 'payment_approval', ...policy })
  const approver = await createApprover(given, policy.permission)
  const server = await startRealServer(test)
  onTestFinished(() => server.close(1000))
  let answers = 0
  const checks = new Set<() => void>()
  /** Resolves when the page has this many answers about its confirmations and approval requests. */
  const answered = (count: number) =>
    new Promise<void>((resolve) => {
      const check = () => answers >= count && resolve()
      checks.add(check)
      check()
    })
  const page = createClient({
    baseUrl: server.url,
    events: liveEvents,
    fetch: async (request) => {
      if (request.url.endsWith('/events')) return streaming(request)
      const response = await fetch(request)
      if (/\/(?:status|appr_[\w-]+)$/.test(request.url)) answers += 1
      for (const check of checks) check()
      return response
    },
  })
  await page.auth.login({ email, password: testPassword })
  const approve = async () => {
    for (const one of (await phone.confirmations.pending()).confirmations) await phone.confirmations.approve(one, signer)
    await approver.decide('approve')
  }
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  return { page, approve, answered, answers: () => answers }
}

describe('a wait of a client with live events', () => {
  it.each<readonly [string, (page: LiveClient) => Promise<unknown>]>([
    ['settled', async (page) => (await page.confirmations.request(aPayment)).settled()],
    ['requestApproval', (page) => page.confirmations.requestApproval(aPayment)],
    ['settled of several people', async (page) => (await page.approvalRequests.request(aPayment)).settled()],
    ['requestApproval of several people', (page) => page.confirmations.requestApproval({ ...aPayment, policy })],
  ])('resolves at the event of the decision, without any timer: %s', async (_, wait) => {
    const { page, approve, answered, answers } = await openPage()
    const settled = wait(page)
    // The first answer, and the answer after the beginning of the stream.
    await answered(2)
    expect(page.events.isLive()).toBe(true)
    await approve()
    await settled
    expect(answers()).toBe(3)
  })

  it.each<readonly [string, Fetch]>([
    ['the service has no stream', () => new Response('', { status: 503, headers: { 'retry-after': '20' } })],
    ['the connection fails', () => Promise.reject(new TypeError('fetch failed'))],
    [
      'a proxy holds the stream back',
      ({ signal }) => new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('aborted')))),
    ],
  ])('asks at intervals while %s', async (_, streaming) => {
    const { page, approve, answered } = await openPage(streaming)
    const { confirmationId } = await page.confirmations.request(aPayment)
    const outcomes: string[] = []
    const settled = page.confirmations.settled(confirmationId).then(({ status }) => outcomes.push(status))
    await answered(1)
    await approve()
    const pass = () => vi.advanceTimersByTimeAsync(500)
    await expect.poll(() => pass().then(() => outcomes)).toEqual(['approved'])
    await settled
    expect(page.events.isLive()).toBe(false)
  })

  it('asks at intervals for a confirmation of another token, because the live events might not include this confirmation', async () => {
    const { page, approve, answered } = await openPage()
    const token = await page.accessToken()
    const { confirmationId } = await page.confirmations.request(aPayment)
    const settled = page.confirmations.settled(confirmationId, { token })
    await answered(2)
    await vi.advanceTimersByTimeAsync(2000)
    await answered(3)
    await approve()
    expect(await settled).toMatchObject({ status: 'approved' })
  })
})
