import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type ClientOptions, createClient } from '../create-client.ts'
import { aPayment, createDeviceClient } from '../testing/device-client.ts'

const ID = 'conf_1'

const answerWith = (status: string) => () => Response.json({ data: { confirmationId: ID, status } })
const pending = answerWith('pending')
const broken = () => Promise.reject(new TypeError('fetch failed'))
const refusing =
  (status: number, headers: Record<string, string> = {}) =>
  () =>
    Response.json({ message: 'no', statusCode: status }, { status, headers })

/** Creates a client of a server that gives the listed responses, then `pending`. Records the time of each request. */
const watching = (...steps: readonly (() => Response | Promise<Response>)[]) => watchingWith({}, ...steps)

const watchingWith = (options: Partial<ClientOptions>, ...steps: readonly (() => Response | Promise<Response>)[]) => {
  const begin = Date.now()
  const looks: number[] = []
  const client = createClient({
    baseUrl: 'http://countersign.test',
    retries: 0,
    ...options,
    fetch: () => {
      looks.push(Date.now() - begin)
      return (steps[looks.length - 1] ?? pending)()
    },
  })
  return { looks, settled: client.confirmations.settled.bind(undefined, ID) }
}

describe('waiting for a confirmation', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  it('asks immediately, then at growing intervals up to five seconds', async () => {
    const { looks, settled } = watching(...Array.from({ length: 7 }, () => pending), answerWith('approved'))
    const outcome = settled()
    await vi.advanceTimersByTimeAsync(60_000)
    expect(await outcome).toMatchObject({ status: 'approved' })
    expect(looks).toEqual([0, 1000, 2500, 4750, 8125, 13_125, 18_125, 23_125])
  })

  it('stays below the limit of 20 requests a minute with a burst of 50, until its timeout', async () => {
    const { looks, settled } = watching()
    const outcome = settled({ timeout: 600_000 }).catch((error: unknown) => error)
    await vi.advanceTimersByTimeAsync(600_000)
    expect(await outcome).toMatchObject({ code: 'TIMEOUT' })
    expect(looks.length).toBeLessThan(130)
  })

  it('asks each minute while live events arrive, because no event says that a changed policy has ended a request', async () => {
    const events = () => ({ on: () => () => {}, isLive: () => true })
    const { looks, settled } = watchingWith({ events }, pending, answerWith('expired'))
    const outcome = settled()
    await vi.advanceTimersByTimeAsync(120_000)
    expect(await outcome).toMatchObject({ status: 'expired' })
    expect(looks).toEqual([60_000, 120_000])
  })

  it('asks once more after a sleep that was longer than the timeout', async () => {
    const { looks, settled } = watching(pending, answerWith('approved'))
    const outcome = settled({ timeout: 500 })
    await vi.advanceTimersByTimeAsync(0)
    // The timers of a sleeping page stop, but the time goes on.
    vi.setSystemTime(Date.now() + 3_600_000)
    await vi.advanceTimersByTimeAsync(500)
    expect(await outcome).toMatchObject({ status: 'approved' })
    expect(looks).toHaveLength(2)
  })

  it.each([
    ['is still pending', pending],
    ['fails', broken],
  ])('rejects with TIMEOUT after a sleep, if the last answer %s', async (_, last) => {
    const { settled } = watching(pending, last)
    const outcome = settled({ timeout: 500 }).catch((error: unknown) => error)
    await vi.advanceTimersByTimeAsync(0)
    vi.setSystemTime(Date.now() + 3_600_000)
    await vi.advanceTimersByTimeAsync(500)
    expect(await outcome).toMatchObject({ code: 'TIMEOUT' })
  })

  it.each(['approved', 'rejected', 'expired'])('resolves for the status %s', async (status) => {
    const { settled } = watching(answerWith(status))
    expect(await settled()).toMatchObject({ status })
  })

  it('continues after temporary errors, and obeys Retry-After', async () => {
    const { looks, settled } = watching(broken, refusing(503), refusing(429, { 'retry-after': '20' }), answerWith('approved'))
    const outcome = settled()
    await vi.advanceTimersByTimeAsync(60_000)
    expect(await outcome).toMatchObject({ status: 'approved' })
    expect(looks).toEqual([0, 1000, 2500, 22_500])
  })

  it.each([401, 404, 500])('rejects with any other error: %i', async (status) => {
    const { looks, settled } = watching(pending, refusing(status))
    const outcome = settled().catch((error: unknown) => error)
    await vi.advanceTimersByTimeAsync(60_000)
    expect(await outcome).toMatchObject({ status })
    expect(looks).toHaveLength(2)
  })

  it('rejects after its timeout, by default ten minutes', async () => {
    const { settled } = watching()
    const short = settled({ timeout: 3000 }).catch((error: unknown) => error)
    const long = settled().catch((error: unknown) => error)
    await vi.advanceTimersByTimeAsync(3000)
    expect(await short).toMatchObject({ code: 'TIMEOUT' })
    await vi.advanceTimersByTimeAsync(597_000)
    expect(await long).toMatchObject({ code: 'TIMEOUT' })
    expect(vi.getTimerCount()).toBe(0)
  })

  it('rejects with the reason of its signal', async () => {
    const { looks, settled } = watching()
    const controller = new AbortController()
    const outcome = settled({ signal: controller.signal }).catch((error: unknown) => error)
    await vi.advanceTimersByTimeAsync(1200)
    const reason = new Error('the page was left')
    controller.abort(reason)
    expect(await outcome).toBe(reason)
    await vi.advanceTimersByTimeAsync(60_000)
    expect(looks).toHaveLength(2)
    expect(vi.getTimerCount()).toBe(0)
  })
})

describe('a requested confirmation', () => {
  it('resolves with the decision of the real service, whatever the decision is', async () => {
    const { client, phone, signer, test } = await createDeviceClient()
    const requested = await client.confirmations.request(aPayment)
    expect(requested).toEqual({
      confirmationId: expect.stringMatching(/^conf_/),
      challenge: expect.any(String),
      expiresAt: expect.any(String),
      settled: expect.any(Function),
    })
    const settled = requested.settled()
    const { confirmations } = await phone.confirmations.pending()
    for (const one of confirmations) await phone.confirmations.approve(one, signer)
    expect(await settled).toMatchObject({ status: 'approved' })

    const late = await client.confirmations.request(aPayment)
    test.clock.advance(300_000)
    expect(await late.settled()).toMatchObject({ status: 'expired' })
    expect(await client.confirmations.settled(late.confirmationId)).toMatchObject({ status: 'expired' })
  })

  it('is withdrawn when the signal of the wait aborts, and taken from the phone', async () => {
    const { client, phone } = await createDeviceClient()
    const requested = await client.confirmations.request(aPayment)
    const controller = new AbortController()
    const settled = requested.settled({ signal: controller.signal })
    controller.abort(new Error('the page was left'))
    await expect(settled).rejects.toThrow('the page was left')
    await expect.poll(async () => (await phone.confirmations.pending()).confirmations).toEqual([])
    const withdrawn = { status: 'expired', withdrawnAt: expect.any(String) }
    expect(await client.confirmations.settled(requested.confirmationId)).toMatchObject(withdrawn)
  })

  it('is not withdrawn when only a wait by its id is aborted, nor when the withdrawal is too late', async () => {
    const { client, phone, signer, sent } = await createDeviceClient()
    const requested = await client.confirmations.request(aPayment)
    const signal = AbortSignal.abort(new Error('the page was left'))
    await expect(client.confirmations.settled(requested.confirmationId, { signal })).rejects.toThrow('the page was left')
    expect(sent.filter((one) => one.endsWith('/withdraw'))).toEqual([])
    for (const one of (await phone.confirmations.pending()).confirmations) await phone.confirmations.approve(one, signer)
    await expect(requested.settled({ signal })).rejects.toThrow('the page was left')
    await expect.poll(() => sent.filter((one) => one.endsWith('/withdraw'))).toHaveLength(1)
    expect(await client.confirmations.status(requested)).toMatchObject({ status: 'approved', withdrawnAt: null })
  })

  it('is read with the token with which it was requested', async () => {
    const { client, another } = await createDeviceClient()
    const token = (await client.accessToken()) ?? ''
    const requested = await another().confirmations.request(aPayment, { token })
    await client.confirmations.reject(requested.confirmationId)
    expect(await requested.settled()).toMatchObject({ status: 'rejected' })
  })
})
