import { on } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import { confirmedAction } from '../device.ts'
import { type Address, type Bench, scaled } from '../harness/bench.ts'
import { fillDatabase, noRateLimits, startCountersign } from '../harness/countersign.ts'
import { connectTo, toText } from '../harness/http.ts'
import { quantile, readUsage } from '../harness/round.ts'
import { type Figure, figures } from '../measure.ts'
import type { program as bareStreams } from '../programs/bare-streams.ts'
import { signInMany } from '../seeds.ts'

const SETTLEMENTS = 100
const SESSIONS = 1000
const STREAMS_OF_SESSION = 5
/** The number of streams that a process opens and closes first, so that its code is compiled. */
const WARM_UP = 200
const GROUP = 50
/** Milliseconds until the garbage of the opened streams is collected, and every stream has sent its first comment. */
const REST = 20_000
/** Milliseconds within which a stream sends what is awaited. */
const PATIENCE = 60_000

/** Opens the event stream of a session. Resolves with its socket after the first event. */
const openStream = async (url: string, token: string): Promise<Socket> => {
  const { port, hostname } = new URL(url)
  const socket = connect(Number(port), hostname)
  const opened = waitFor(socket, 'event: read_again')
  socket.write(toText(url, { method: 'GET', path: '/api/v1/auth/events', token }))
  await opened
  return socket
}

/** Resolves with the time at which a stream sends one of these texts. Rejects if it ends before, or sends none in time. */
const waitFor = async (socket: Socket, ...texts: readonly string[]): Promise<number> => {
  let received = ''
  const patience = new AbortController()
  const late = globalThis.setTimeout(() => patience.abort(new Error(`a stream sent none of ${texts}`)), PATIENCE)
  try {
    for await (const [data] of on(socket, 'data', { close: ['close'], signal: patience.signal })) {
      received += data
      if (texts.some((text) => received.includes(text))) return performance.now()
      if (/^HTTP\/1\.1 (?!200 )/.test(received)) break
    }
    throw new Error(`a stream ended after ${received.slice(0, 300)}`)
  } finally {
    clearTimeout(late)
  }
}

/** Measures from the request that settles a confirmation to the event of the session that asked. Resolves with milliseconds. */
const measureSettlements = async (bench: Bench, token: string, reader: string, settler: string): Promise<readonly number[]> => {
  const send = connectTo(settler)
  const post = (path: string, body: object) =>
    send(toText(settler, { method: 'POST', path: `/api/v1/auth/confirmation/${path}`, token, body }))
  const stream = await openStream(reader, token)
  const took: number[] = []
  while (took.length < scaled(bench, SETTLEMENTS)) {
    const { data } = JSON.parse(await post('initiate', confirmedAction)) as { readonly data: { readonly confirmationId: string } }
    await setTimeout(100 * Math.random())
    const begun = performance.now()
    // A server whose feed of changes opens late, or was interrupted, sends no single events for what happened meanwhile.
    const told = waitFor(stream, `{"id":"${data.confirmationId}","status":"rejected"}`, 'event: read_again')
    const [toldAt] = await Promise.all([told, post(`${data.confirmationId}/reject`, {})])
    took.push(toldAt - begun)
  }
  stream.destroy()
  return took
}

/** Opens streams of sessions, a group at a time. */
const openStreams = async (url: string, tokens: readonly string[]): Promise<readonly Socket[]> => {
  const opened: Socket[] = []
  while (opened.length < tokens.length) {
    const group = tokens.slice(opened.length, opened.length + GROUP)
    opened.push(...(await Promise.all(group.map((token) => openStream(url, token)))))
  }
  return opened
}

/** Returns the memory in MB that open streams add to a process. */
const addedBy = async (bench: Bench, { url, pid }: Address, tokens: readonly string[]): Promise<number> => {
  const megabytes = async () => {
    await setTimeout(REST * bench.share)
    return readUsage(pid)?.megabytes ?? Number.NaN
  }
  for (const socket of await openStreams(url, tokens.slice(0, WARM_UP))) socket.destroy()
  const before = await megabytes()
  const streams = await openStreams(
    url,
    tokens.flatMap((token) => Array<string>(STREAMS_OF_SESSION).fill(token)),
  )
  const added = (await megabytes()) - before
  for (const socket of streams) socket.destroy()
  return added
}

export const live = figures({
  name: 'live',
  title: 'Live events',
  about:
    'From the request that settles a confirmation to the event at the session that asked: the 95th percentile of 100, on a server alone and from one server to another. And the resident memory that 5,000 idle streams of 1,000 sessions add to a process that has served 200 before, beside the same streams on bare `node:http`.',
  measure: async (bench) => {
    const all: Figure[] = []
    for (const kind of ['SQLite', 'PostgreSQL'] as const) {
      bench.tell(`settling on ${kind}`)
      const { database, filled } = await fillDatabase(bench, kind, (countersign) => signInMany(countersign, 1))
      const open = () => startCountersign(bench, database, noRateLimits)
      const [one, other] = await Promise.all([open(), open()])
      const measure = async (where: string, settler: string, most: number): Promise<void> => {
        const times = await measureSettlements(bench, filled[0]?.accessToken ?? '', one.url, settler)
        all.push({ what: `${kind}: p95 ${where}`, unit: 'ms', values: [quantile(times, 0.95)], most })
      }
      await measure('on one server', one.url, 250)
      await measure('from one server to another', other.url, 500)
      await Promise.all([one.close(), other.close()])
    }
    const { database, filled } = await fillDatabase(bench, 'SQLite', (countersign) =>
      signInMany(countersign, scaled(bench, SESSIONS)),
    )
    const tokens = filled.map(({ accessToken }) => accessToken)
    const ours = await startCountersign(bench, database, noRateLimits)
    const bare = await bench.run<typeof bareStreams>('bare-streams', undefined)
    bench.tell('opening streams')
    const added = await addedBy(bench, ours, tokens)
    const addedToBare = await addedBy(bench, { url: bare.opened, pid: bare.pid }, tokens)
    return [
      ...all,
      { what: 'memory added by idle streams', unit: 'MB', values: [added] },
      { what: 'memory added by the same streams on bare `node:http`', unit: 'MB', values: [addedToBare] },
      { what: 'idle streams ÷ the same streams on bare `node:http`', unit: '×', values: [added / addedToBare], most: 1.3 },
    ]
  },
})
