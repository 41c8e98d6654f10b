import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import type { Client } from '../client.ts'
import { hours, pass } from '../testing/clocks.ts'
import { aPayment, createDeviceClient } from '../testing/device-client.ts'
import { createTestClient, logInNewUser } from '../testing/test-client.ts'
import { type LiveEvent, liveEvents } from './index.ts'
import { leadOrFollow, type SharedEvent } from './share-stream.ts'

const baseUrl = 'http://countersign.test'

/** A client whose service never ends a stream, and whose requests for streams the test answers. */
const streaming = (...answers: readonly (() => Response | Promise<Response>)[]) => {
  const begin = Date.now()
  const opened: number[] = []
  const seen: [number, LiveEvent][] = []
  const live = liveEvents({
    baseUrl,
    accessToken: async () => 'a.e30.c',
    fetch: (request) => {
      opened.push(Date.now() - begin)
      const answer = (answers[opened.length - 1] ?? silence)()
      return Promise.race([
        answer,
        new Promise<never>((_, reject) => request.signal.addEventListener('abort', () => reject(new Error('aborted')))),
      ])
    },
  })
  const start = () => onTestFinished(live.on((event) => void seen.push([Date.now() - begin, event])))
  return { opened, seen, live, start }
}

const silence = () => new Promise<Response>(() => {})
const READ_AGAIN = 'event: read_again\ndata: {}\n\n'

/** A stream that sends these pieces, and ends only if the test ends it. */
const bodyOf = (...pieces: readonly string[]) => {
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined
  const encoder = new TextEncoder()
  const body = new ReadableStream<Uint8Array>({
    start: (given) => {
      controller = given
      for (const piece of pieces) given.enqueue(encoder.encode(piece))
    },
  })
  return {
    answer: () => new Response(body, { headers: { 'content-type': 'text/event-stream' } }),
    send: (piece: string) => controller?.enqueue(encoder.encode(piece)),
    end: () => controller?.close(),
  }
}

describe('live events', () => {
  beforeEach(() => {
    vi.useFakeTimers()
    vi.stubGlobal('BroadcastChannel', undefined)
  })
  afterEach(() => {
    vi.useRealTimers()
    vi.unstubAllGlobals()
  })
  const types = (seen: readonly [number, LiveEvent][]) => seen.map(([at, { type }]) => [at, type])

  it('arrive as the service sends them, and complete if the network splits them', async () => {
    const stream = bodyOf(READ_AGAIN, ': \n\nevent: confir', 'mation\ndata: {"id":"conf_1","status":"pending"}\n\n')
    const { seen, live, start } = streaming(stream.answer)
    start()
    await vi.advanceTimersByTimeAsync(10)
    expect(seen.map(([, event]) => event)).toEqual([
      { type: 'read_again' },
      { type: 'read_again' },
      { type: 'confirmation', id: 'conf_1', status: 'pending' },
    ])
    expect(live.isLive()).toBe(true)
  })

  it('arrive without polling while the stream is alive', async () => {
    const stream = bodyOf(READ_AGAIN)
    const { opened, seen, start } = streaming(stream.answer)
    start()
    for (let turn = 0; turn < 6; turn += 1) {
      await vi.advanceTimersByTimeAsync(14_000)
      stream.send(': \n\n')
    }
    expect(opened).toEqual([0])
    expect(seen).toHaveLength(2)
  })

  it('arrive again within a second after a stream has ended', async () => {
    const first = bodyOf(READ_AGAIN)
    const { opened, start } = streaming(first.answer, bodyOf(READ_AGAIN).answer)
    start()
    await vi.advanceTimersByTimeAsync(3000)
    first.end()
    await vi.advanceTimersByTimeAsync(1000)
    expect(opened).toHaveLength(2)
  })

  it('are requested again at growing intervals if a proxy closes each stream early, until one has lived for 15 seconds', async () => {
    const random = vi.spyOn(Math, 'random').mockReturnValue(0)
    onTestFinished(() => random.mockRestore())
    const closing = () => {
      const stream = bodyOf(READ_AGAIN)
      stream.end()
      return stream.answer()
    }
    const long = bodyOf(READ_AGAIN)
    const { opened, start } = streaming(closing, closing, closing, closing, closing, long.answer, bodyOf(READ_AGAIN).answer)
    start()
    await vi.advanceTimersByTimeAsync(31_000)
    const waits = opened.map((at, index) => at - (opened[index - 1] ?? 0)).slice(1)
    expect(waits).toEqual([1000, 2000, 4000, 8000, 16_000])
    await vi.advanceTimersByTimeAsync(15_000)
    long.end()
    await vi.advanceTimersByTimeAsync(1000)
    expect(opened).toHaveLength(7)
  })

  it('are not read from the page of a proxy, although its status is 200', async () => {
    const { opened, live, start } = streaming(...Array.from({ length: 9 }, () => () => new Response('<p>Sign in</p>')))
    start()
    await vi.advanceTimersByTimeAsync(5000)
    expect(live.isLive()).toBe(false)
    await vi.advanceTimersByTimeAsync(15_000)
    expect(opened.length).toBeLessThan(7)
  })

  it('make every page read again at once when the session ends, so that its client notices', async () => {
    const first = bodyOf(READ_AGAIN)
    const { seen, live, start } = streaming(first.answer, () => new Response('', { status: 401 }))
    start()
    await vi.advanceTimersByTimeAsync(3000)
    first.end()
    await vi.advanceTimersByTimeAsync(1000)
    expect(types(seen)).toEqual([
      [0, 'read_again'],
      [0, 'read_again'],
      [expect.any(Number), 'read_again'],
    ])
    expect(live.isLive()).toBe(false)
  })

  it('fall back to a `read_again` every five seconds, while the service has no stream', async () => {
    const refused = () => new Response('', { status: 503, headers: { 'retry-after': '20' } })
    const { opened, seen, live, start } = streaming(refused, bodyOf(READ_AGAIN).answer)
    start()
    await vi.advanceTimersByTimeAsync(19_000)
    expect(types(seen)).toEqual([0, 5000, 10_000, 15_000].map((at) => [at, 'read_again']))
    expect([opened, live.isLive()]).toEqual([[0], false])
    await vi.advanceTimersByTimeAsync(3000)
    expect([opened.length, live.isLive()]).toEqual([2, true])
  })

  it('are replaced by polling, with rare attempts at a stream, behind a proxy that buffers', async () => {
    const { opened, seen, start } = streaming()
    start()
    await vi.advanceTimersByTimeAsync(120_000)
    expect(opened).toHaveLength(2)
    expect(seen.length).toBeGreaterThan(20)
    await vi.advanceTimersByTimeAsync(300_000)
    expect(opened).toHaveLength(3)
  })

  it('come from a new connection if the old one has died', async () => {
    const { opened, start } = streaming(bodyOf(READ_AGAIN).answer)
    start()
    await vi.advanceTimersByTimeAsync(19_000)
    expect(opened).toHaveLength(1)
    await vi.advanceTimersByTimeAsync(3000)
    expect(opened).toHaveLength(2)
  })

  it('end when the last listener is removed', async () => {
    const { seen, live } = streaming(bodyOf(READ_AGAIN).answer)
    const stop = live.on((event) => void seen.push([0, event]))
    await vi.advanceTimersByTimeAsync(10)
    stop()
    const before = seen.length
    await vi.advanceTimersByTimeAsync(60_000)
    expect(seen).toHaveLength(before)
    expect(vi.getTimerCount()).toBe(0)
  })
})

describe('live events of the service', () => {
  it('reach the phone when a request is made, and the page when the phone has approved', async () => {
    const { client, phone, signer, test } = await createDeviceClient()
    const follow = ({ accessToken }: Client) => {
      const seen: LiveEvent[] = []
      const live = liveEvents({ baseUrl, accessToken, fetch: (request) => test.app.fetch(request) })
      onTestFinished(live.on((event) => void seen.push(event)))
      return seen
    }
    const [page, inbox] = [follow(client), follow(phone)]
    const { confirmationId: id } = await client.confirmations.request(aPayment)
    for (const seen of [page, inbox])
      await expect.poll(() => seen).toContainEqual({ type: 'confirmation', id, status: 'pending' })
    const [pending] = (await phone.confirmations.pending()).confirmations
    await phone.confirmations.approve(pending as NonNullable<typeof pending>, signer)
    for (const seen of [page, inbox])
      await expect.poll(() => seen).toContainEqual({ type: 'confirmation', id, status: 'approved' })
  })

  it('arrive again, with a new token, after the token of their stream has expired', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    onTestFinished(() => void vi.useRealTimers())
    const given = await createTestClient()
    await logInNewUser(given)
    const presented: (string | null)[] = []
    const fetch = (request: Request) => {
      presented.push(request.headers.get('authorization'))
      return given.test.app.fetch(request)
    }
    const live = liveEvents({ baseUrl, fetch, accessToken: given.client.accessToken })
    onTestFinished(live.on(() => {}))
    await expect.poll(live.isLive).toBe(true)
    const before = await given.client.accessToken()
    pass(given, hours(8))
    await expect.poll(() => presented.length > 1 && live.isLive()).toBe(true)
    const after = await given.client.accessToken()
    expect(presented).toEqual([`Bearer ${before}`, `Bearer ${after}`])
    expect(after).not.toBe(before)
  })
})

describe('the tabs of one session', () => {
  it('share the stream of the first tab; when that tab closes, the second reads the stream', async () => {
    const [first, second] = [new AbortController(), new AbortController()]
    onTestFinished(() => second.abort())
    const shared: Record<string, SharedEvent[]> = { first: [], second: [] }
    const leading: string[] = []
    const tab = (name: 'first' | 'second', signal: AbortSignal) =>
      leadOrFollow(
        'countersign.events test',
        signal,
        (one) => void shared[name]?.push(one),
        async (share) => {
          leading.push(name)
          share({ type: 'account' })
          await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()))
        },
      )
    const waiting = tab('second', second.signal).catch(() => {})
    await expect.poll(() => leading).toEqual(['second'])
    const led = tab('first', first.signal).catch(() => {})
    expect(leading).toEqual(['second'])
    second.abort()
    await waiting
    await expect.poll(() => leading).toEqual(['second', 'first'])
    first.abort()
    await led
  })

  it('receive what the leading tab reads', async () => {
    const [leader, follower] = [new AbortController(), new AbortController()]
    const shared: SharedEvent[] = []
    let shareAll: (shared: SharedEvent) => void = () => {}
    const led = leadOrFollow(
      'countersign.events shared',
      leader.signal,
      () => {},
      async (share) => {
        shareAll = share
        await new Promise<void>((resolve) => leader.signal.addEventListener('abort', () => resolve()))
      },
    )
    await new Promise((resolve) => setTimeout(resolve, 20))
    const followed = leadOrFollow(
      'countersign.events shared',
      follower.signal,
      (one) => void shared.push(one),
      async () => {},
    ).catch(() => {})
    shareAll({ type: 'confirmation', id: 'conf_1', status: 'approved' })
    await expect.poll(() => shared).toEqual([{ type: 'confirmation', id: 'conf_1', status: 'approved' }])
    follower.abort()
    leader.abort()
    await Promise.all([led, followed])
  })

  it('read a stream of their own while the tab with the lock is silent', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    const name = 'countersign.events asleep'
    const controller = new AbortController()
    const asleep = new Promise<void>((resolve) => controller.signal.addEventListener('abort', () => resolve()))
    void navigator.locks.request(name, () => asleep)
    const channel = new BroadcastChannel(name)
    onTestFinished(() => channel.close())
    const shared: SharedEvent[] = []
    const leading: true[] = []
    const led = leadOrFollow(
      name,
      controller.signal,
      (one) => void shared.push(one),
      async () => {
        leading.push(true)
        await asleep
      },
    )
    await vi.advanceTimersByTimeAsync(30_000)
    channel.postMessage({ type: 'alive' })
    await expect.poll(() => shared).toHaveLength(1)
    await vi.advanceTimersByTimeAsync(39_000)
    expect(leading).toEqual([])
    await vi.advanceTimersByTimeAsync(1000)
    expect(leading).toEqual([true])
    controller.abort()
    await led
    expect(vi.getTimerCount()).toBe(0)
  })
})
