import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createClient } from '../../create-client.ts'
import { memoryTokenStore } from '../../session/token-store.ts'
import { watch } from '../../testing/watch-call.ts'
import { within } from './deadline.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** Milliseconds. Longer than the longest timer of the platform. */
const DAYS_30 = 30 * 86_400_000

const silent = (options = {}) =>
  createClient({ baseUrl: 'http://countersign.test', fetch: () => new Promise<Response>(() => {}), ...options })

describe('a time limit', () => {
  it.each([
    ['of a call', () => silent().health.check({}, { timeout: DAYS_30 })],
    ['of the client', () => silent({ timeout: DAYS_30 }).health.check()],
    ['of a wait', () => silent({ timeout: DAYS_30 }).confirmations.settled('conf_1', { timeout: DAYS_30 })],
  ])('%s can be longer than the longest timer of the platform', async (_, start) => {
    const seen = watch(start())
    await vi.advanceTimersByTimeAsync(DAYS_30 - 1)
    expect(seen).toEqual([])
    await vi.advanceTimersByTimeAsync(1)
    expect(seen).toMatchObject([{ code: 'TIMEOUT' }])
    expect(vi.getTimerCount()).toBe(0)
  })

  it.each([
    ['a call', () => silent().health.check({}, { timeout: Infinity })],
    ['a client', () => silent({ timeout: Infinity }).health.check()],
    ['a wait', () => silent({ timeout: Infinity }).confirmations.settled('conf_1', { timeout: Infinity })],
    [
      'a read of the token',
      () => silent({ store: { ...memoryTokenStore(), get: () => new Promise(() => {}) } }).accessToken({ timeout: Infinity }),
    ],
  ])('may be infinite: %s', async (_, start) => {
    const seen = watch(start())
    await vi.advanceTimersByTimeAsync(2 * DAYS_30)
    expect(seen).toEqual([])
  })

  it.each([0, -1, Number.NaN, -Infinity])('is refused if it is not a positive number: %d', async (timeout) => {
    const takes = 'must be above 0'
    const refused = { code: 'VALIDATION_ERROR', status: undefined, details: { timeout: takes }, message: `timeout: ${takes}` }
    let calls = 0
    const client = silent({
      fetch: () => {
        calls += 1
        return Response.json({ status: 'healthy' })
      },
    })
    await expect(client.health.check({}, { timeout })).rejects.toMatchObject(refused)
    await expect(client.accessToken({ timeout })).rejects.toMatchObject(refused)
    await expect(client.confirmations.settled('conf_1', { timeout })).rejects.toMatchObject(refused)
    expect(calls).toBe(0)
    expect(() => silent({ timeout })).toThrow(expect.objectContaining(refused))
  })
})

describe('the time for a prompt of the device', () => {
  it('extends a time limit by no more than the prompt took, even if the clock is set back before the prompt', async () => {
    const outcome = within(1000, undefined, async (_, uncounted) => {
      vi.setSystemTime(Date.now() - DAYS_30)
      await uncounted(async () => {})
      return new Promise(() => {})
    })
    const seen = watch(outcome)
    await vi.advanceTimersByTimeAsync(1000)
    expect(seen).toMatchObject([{ code: 'TIMEOUT' }])
  })
})

describe('a wait that the service asks for', () => {
  const limited = (seconds: string, options = {}) => {
    let looks = 0
    const fetch = () => {
      looks += 1
      return Response.json({ message: 'no', statusCode: 429 }, { status: 429, headers: { 'retry-after': seconds } })
    }
    return { looks: () => looks, client: createClient({ baseUrl: 'http://countersign.test', fetch, ...options }) }
  }

  it.each([
    ['weeks', '3000000'],
    ['more than any number', '9'.repeat(400)],
  ])('is not cut short if it is long: %s', async (_, seconds) => {
    const { looks, client } = limited(seconds)
    const seen = watch(client.confirmations.settled('conf_1'))
    await vi.advanceTimersByTimeAsync(599_999)
    expect(looks()).toBe(1)
    expect(seen).toEqual([])
    await vi.advanceTimersByTimeAsync(1)
    expect(seen).toMatchObject([{ code: 'TIMEOUT' }])
  })

  it('is waited for if the caller has enough time', async () => {
    const { looks, client } = limited('2592000', { longestWait: Infinity, retries: 1 })
    const seen = watch(client.health.check({}, { timeout: Infinity }))
    await vi.advanceTimersByTimeAsync(DAYS_30 - 1)
    expect(looks()).toBe(1)
    await vi.advanceTimersByTimeAsync(1)
    expect(looks()).toBe(2)
    expect(seen).toMatchObject([{ status: 429 }])
  })
})
