import { setTimeout } from 'node:timers/promises'
import { type Bench, scaled } from '../harness/bench.ts'
import { fillDatabase, noRateLimits, sqliteFile, startCountersign } from '../harness/countersign.ts'
import { quantile, readUsage } from '../harness/round.ts'
import { type Figure, figures } from '../measure.ts'
import type { program as bareStreams } from '../programs/bare-streams.ts'
import type { program as streamClients } from '../programs/stream-clients.ts'
import { signInMany } from '../seeds.ts'

const SETTLEMENTS = 100
const SESSIONS = 1000
const STREAMS_OF_SESSION = 5
/** The streams that a process opens and closes first, so that its code is compiled. */
const WARM_UP = 200
/** Milliseconds for the garbage of the openings to be collected, and for a first comment on every stream. */
const REST = 20_000
const ACTION = { actionType: 'payment_approval', actionPayload: { amount: 12.5, currency: 'EUR', recipient: 'Ada' } }

/** Follows the stream of a session. `at` resolves with the time at which the stream tells that a confirmation has a status. */
const follow = async (url: string, token: string) => {
  const leaving = new AbortController()
  const headers = { authorization: `Bearer ${token}` }
  const response = await fetch(`${url}/api/v1/auth/events`, { headers, signal: leaving.signal })
  const waits = new Map<string, (time: number) => void>()
  const read = async (): Promise<void> => {
    const decoder = new TextDecoder()
    for await (const piece of (response.body ?? []) as AsyncIterable<Uint8Array>) {
      const now = performance.now()
      const text = decoder.decode(piece)
      for (const [what, resolve] of waits) if (text.includes(what)) resolve(now)
    }
  }
  read().catch(() => {})
  const at = (id: string, status: string) =>
    new Promise<number>((resolve) => waits.set(`{"id":"${id}","status":"${status}"}`, resolve))
  return { at, leave: () => leaving.abort() }
}

/** Measures from the request that settles a confirmation to the event of the session that asked. Resolves with milliseconds. */
const measureSettlements = async (bench: Bench, token: string, reader: string, settler: string): Promise<number[]> => {
  const post = async (
    url: string,
    path: string,
    body: object,
  ): Promise<{ readonly data: { readonly confirmationId: string } }> => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    const response = await fetch(`${url}/api/v1/auth/confirmation/${path}`, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
    })
    if (!response.ok) throw new Error(await response.text())
    return response.json() as never
  }
  const stream = await follow(reader, token)
  const took: number[] = []
  for (let count = 0; count < scaled(bench, SETTLEMENTS); count += 1) {
    const { confirmationId } = (await post(settler, 'initiate', ACTION)).data
    const told = stream.at(confirmationId, 'rejected')
    await setTimeout(100 * Math.random())
    const begun = performance.now()
    await post(settler, `${confirmationId}/reject`, {})
    took.push((await told) - begun)
  }
  stream.leave()
  return took.toSorted((one, other) => one - other)
}

/** Returns the memory in MB that open streams add to a process. */
const addedBy = async (bench: Bench, url: string, pid: number, tokens: readonly string[]): Promise<number> => {
  const megabytes = async () => {
    await setTimeout(REST * bench.share)
    return readUsage(pid)?.megabytes ?? Number.NaN
  }
  const warm = await bench.run<typeof streamClients>('stream-clients', { url, tokens: tokens.slice(0, WARM_UP), each: 1 })
  await warm.close()
  const before = await megabytes()
  await bench.run<typeof streamClients>('stream-clients', { url, tokens, each: STREAMS_OF_SESSION })
  return (await megabytes()) - before
}

/** Measures how soon a waiting page learns of a settlement, and the memory of idle streams. */
export const live = figures({
  name: 'live',
  title: 'Live events',
  about:
    'From the request that settles a confirmation to the event at the session that asked: the 95th percentile of 100, on a server alone and from one server to another. And the resident memory that 5,000 idle streams of 1,000 sessions add to a process that has served 200 before, beside the same streams on bare `node:http`.',
  measure: async (bench) => {
    const all: Figure[] = []
    const urls = { SQLite: `sqlite:${sqliteFile(bench, 'live')}`, PostgreSQL: await bench.createPostgresDatabase() }
    for (const [name, database] of Object.entries(urls)) {
      bench.tell(`settling on ${name}`)
      const filled = await fillDatabase(database, ({ countersign }) => signInMany(countersign, { users: 1, sessions: 1 }))
      const [one, other] = [
        await startCountersign(bench, filled.database, noRateLimits),
        await startCountersign(bench, filled.database, noRateLimits),
      ]
      const token = filled.filled[0]?.accessToken ?? ''
      const alone = await measureSettlements(bench, token, one.url, one.url)
      const across = await measureSettlements(bench, token, one.url, other.url)
      all.push({ what: `${name}: p95 on one server`, unit: 'ms', values: [quantile(alone, 0.95)], most: 250 })
      all.push({ what: `${name}: p95 from one server to another`, unit: 'ms', values: [quantile(across, 0.95)], most: 500 })
      await one.close()
      await other.close()
    }
    const sessions = scaled(bench, SESSIONS)
    const { database, filled } = await fillDatabase(`sqlite:${sqliteFile(bench, 'streams')}`, ({ countersign }) =>
      signInMany(countersign, { users: sessions, sessions }),
    )
    const tokens = filled.map(({ accessToken }) => accessToken)
    const ours = await startCountersign(bench, database, noRateLimits)
    const bare = await bench.run<typeof bareStreams>('bare-streams', undefined)
    bench.tell('opening streams')
    const [added, addedToBare] = [
      await addedBy(bench, ours.url, ours.pid, tokens),
      await addedBy(bench, bare.opened, bare.pid, tokens),
    ]
    return [
      ...all,
      { what: 'memory added by idle streams', unit: 'MB', values: [added] },
      { what: 'memory added by the same streams on bare `node:http`', unit: 'MB', values: [addedToBare] },
      { what: 'idle streams ÷ the same streams on bare `node:http`', unit: '×', values: [added / addedToBare], most: 1.3 },
    ]
  },
})
