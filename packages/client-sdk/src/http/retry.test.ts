import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type ClientOptions, createClient } from '../create-client.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

type Step = () => Response | Promise<Response>

const healthy: Step = () => Response.json({ status: 'healthy' })
const broken: Step = () => Promise.reject(new TypeError('fetch failed'))
const refusing =
  (status: number, retryAfter?: string): Step =>
  () =>
    Response.json(
      { message: 'no', statusCode: status },
      { status, headers: retryAfter === undefined ? {} : { 'retry-after': retryAfter } },
    )

/** Creates a client of a server that gives the listed responses in order. Records the time of each request. */
const scripted = (steps: readonly Step[], options: Partial<ClientOptions> = {}) => {
  const begin = Date.now()
  const times: number[] = []
  const fetch = () => {
    const step = steps[times.length] ?? healthy
    times.push(Date.now() - begin)
    return step()
  }
  return { times, client: createClient({ baseUrl: 'http://countersign.test', fetch, ...options }) }
}

const settle = async (promise: Promise<unknown>) => {
  const outcome = promise.then(
    (value) => ({ value }),
    (error: unknown) => ({ error }),
  )
  await vi.advanceTimersByTimeAsync(60_000)
  return outcome
}

describe('a GET', () => {
  it.each([
    ['no response arrives', broken],
    ['the service has too many requests', refusing(429)],
    ['the service is unavailable', refusing(503)],
  ])('is retried after growing waits if %s', async (_, step) => {
    const { times, client } = scripted([step, step])
    expect(await settle(client.health.check())).toEqual({ value: { status: 'healthy' } })
    expect(times).toHaveLength(3)
    const [, second = 0, third = 0] = times
    expect(second).toBeGreaterThanOrEqual(200)
    expect(second).toBeLessThanOrEqual(400)
    expect(third - second).toBeGreaterThanOrEqual(400)
    expect(third - second).toBeLessThanOrEqual(800)
  })

  it.each([429, 503])('waits as long as the service says for status %i', async (status) => {
    const { times, client } = scripted([refusing(status, '2')])
    expect(await settle(client.health.check())).toEqual({ value: { status: 'healthy' } })
    expect(times).toEqual([0, 2000])
  })

  it('fails immediately if the service asks for a longer wait than allowed', async () => {
    const { times, client } = scripted([refusing(429, '3')])
    expect(await settle(client.health.check())).toMatchObject({ error: { status: 429, retryAfter: 3 } })
    expect(times).toEqual([0])
  })

  it('fails with the last error after two retries', async () => {
    const { times, client } = scripted([broken, broken, refusing(503)])
    expect(await settle(client.health.check())).toMatchObject({ error: { status: 503 } })
    expect(times).toHaveLength(3)
  })

  it.each([{ retries: Number.NaN }, { longestWait: Number.NaN }])('is not retried if an option is NaN: %j', async (options) => {
    const { times, client } = scripted([broken], options)
    expect(await settle(client.health.check())).toMatchObject({ error: { code: 'NETWORK_ERROR' } })
    expect(times).toHaveLength(1)
  })

  it('has the error of the connection as its cause', async () => {
    const { client } = scripted([broken], { retries: 0 })
    expect(await settle(client.health.check())).toMatchObject({
      error: { code: 'NETWORK_ERROR', status: undefined, cause: { message: 'fetch failed' } },
    })
  })

  it.each([400, 401, 403, 404, 409, 410, 500, 502, 504])('is not retried after status %i', async (status) => {
    const { times, client } = scripted([refusing(status, '1')])
    expect(await settle(client.health.check())).toMatchObject({ error: { status } })
    expect(times).toHaveLength(1)
  })
})

describe('a request other than GET', () => {
  it.each([broken, refusing(429, '1'), refusing(503, '1')])('is never retried', async (step) => {
    const { times, client } = scripted([step, step, step, step])
    const token = 'abc'
    await settle(client.auth.login({ email: 'a@example.com', password: 'x' }))
    await settle(client.devices.remove({ deviceId: 'x' }, { token }))
    await settle(client.devices.setPushToken({ deviceId: 'x', pushToken: 'y' }, { token }))
    await settle(client.projects.update({ uniqueCode: 'x' }, { token }))
    expect(times).toHaveLength(4)
  })
})

const neverAnswering = () => scripted(Array.from({ length: 9 }, () => () => new Promise<Response>(() => {})))

describe('a call', () => {
  it('ends after its timeout, by default thirty seconds', async () => {
    const { client } = neverAnswering()
    const failure = client.health.check().catch((error: unknown) => error)
    await vi.advanceTimersByTimeAsync(29_999)
    const state = await Promise.race([failure, Promise.resolve('still waiting')])
    expect(state).toBe('still waiting')
    await vi.advanceTimersByTimeAsync(1)
    expect(await failure).toMatchObject({ code: 'TIMEOUT', message: 'No answer within 30000 ms' })
  })

  it('counts the wait before a retry', async () => {
    const { times, client } = scripted([refusing(503, '5'), refusing(503, '5')], { longestWait: 10_000 })
    expect(await settle(client.health.check({}, { timeout: 6000 }))).toMatchObject({ error: { code: 'TIMEOUT' } })
    expect(times).toEqual([0, 5000])
  })

  it('ends with the reason of its signal at any time', async () => {
    const reason = new Error('the page was left')
    const { times, client } = neverAnswering()
    const controller = new AbortController()
    const call = settle(client.health.check({}, { signal: controller.signal }))
    controller.abort(reason)
    expect(await call).toEqual({ error: reason })
    expect(await settle(client.health.check({}, { signal: controller.signal }))).toEqual({ error: reason })
    expect(times).toHaveLength(1)
  })

  it('is not retried after its signal aborted', async () => {
    const { times, client } = scripted([refusing(503, '5'), healthy], { longestWait: 10_000 })
    const controller = new AbortController()
    const call = client.health.check({}, { signal: controller.signal }).catch((error: unknown) => error)
    await vi.advanceTimersByTimeAsync(1000)
    controller.abort()
    expect(await call).toMatchObject({ name: 'AbortError' })
    await vi.advanceTimersByTimeAsync(60_000)
    expect(times).toHaveLength(1)
    expect(vi.getTimerCount()).toBe(0)
  })

  it('aborts the request that is under way', async () => {
    let signal: AbortSignal | undefined
    const client = createClient({
      baseUrl: 'http://countersign.test',
      fetch: (request) => {
        signal = request.signal
        return new Promise(() => {})
      },
    })
    await settle(client.health.check({}, { timeout: 10 }))
    expect(signal?.aborted).toBe(true)
  })
})
