import type { FullStorage } from '@countersign/core/storage'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { startStopwatch } from '../../../tools/testing/stopwatch.ts'
import { startTcpProxy, type TcpProxy } from '../../../tools/testing/tcp-proxy.ts'
import { createNumbered, givenOwners, type Owners, totalOf } from './given-owners.ts'
import { connect, open, openMigrated } from './open-migrated.ts'

vi.setConfig({ testTimeout: 120_000 })

/** More answers than one creation gets from the database. */
const MOST_ANSWERS = 30
/** Milliseconds. Less than any timeout that would end the wait for a lock. */
const MOST_WAIT = 2000

/** A peer that freezes once the database has sent it some answers: it neither reads nor sends any more. */
const openPeer = async (url: string) => {
  let answersLeft = Number.POSITIVE_INFINITY
  const proxy: TcpProxy = await startTcpProxy(Number(new URL(url).port), (chunk) => {
    answersLeft -= 1
    if (answersLeft === 0) for (const connection of proxy.connections) connection.hold()
    return chunk
  })
  onTestFinished(() => proxy.close())
  const peer = await open(Object.assign(new URL(url), { port: String(proxy.port) }).href)
  return {
    peer,
    freezeAfter: (answers: number) => {
      answersLeft = answers
    },
    isFrozen: () => answersLeft <= 0,
    goOn: () => {
      for (const connection of proxy.connections) connection.release()
    },
    die: () => proxy.close(),
  }
}

type Peer = Awaited<ReturnType<typeof openPeer>>

/** Freezes the peer within a creation, after some answers. Returns the creation; `undefined` if it ended before. */
const freezeWithin = async ({ peer, freezeAfter, isFrozen }: Peer, owners: Owners, answers: number) => {
  // The first creation opens connections and prepares statements.
  await createNumbered(peer, owners)
  freezeAfter(answers)
  let isOver = false
  const creating = createNumbered(peer, owners).then(
    () => 'created' as const,
    () => 'failed' as const,
  )
  void creating.then(() => {
    isOver = true
  })
  await expect.poll(() => isOver || isFrozen(), { interval: 1 }).toBe(true)
  return isOver ? undefined : { creating }
}

/** Creates projects, and expects that no creation waits for the frozen peer. */
const expectNoWait = async (storage: FullStorage, owners: Owners): Promise<number> => {
  const time = startStopwatch()
  const codes = await Promise.all(Array.from({ length: 20 }, () => createNumbered(storage, owners)))
  expect(time()).toBeLessThan(MOST_WAIT)
  expect(codes).not.toContain(undefined)
  return codes.length
}

describe('a peer that freezes anywhere within the creation of a project', () => {
  it.each(['goes on', 'dies'])('blocks no other process, and the totals are exact when it %s', async (outcome) => {
    const { url, storage } = await openMigrated()
    const owners = await givenOwners(storage)
    const client = await connect(url)
    let acknowledged = 0
    let frozen = 0
    for (let answers = 1; answers < MOST_ANSWERS; answers += 1) {
      const peer = await openPeer(url)
      // The second creation of the peer adds the waiting deltas to the counters too.
      const seq = (1000 + answers) * 64 + 62
      await client.query(`select setval(pg_get_serial_sequence('project_count_deltas', 'seq'), ${seq})`)
      const within = await freezeWithin(peer, owners, answers)
      acknowledged += within === undefined ? 2 : 1
      if (within === undefined) break
      frozen += 1
      acknowledged += await expectNoWait(storage, owners)
      if (outcome === 'dies') await peer.die()
      else peer.goOn()
      if ((await within.creating) === 'created') acknowledged += 1
    }
    // There is at least one answer each for the customer, the number, the row, the counters and the commit.
    expect(frozen).toBeGreaterThan(5)
    const { rows } = await client.query<{ readonly stored: number; readonly codes: number; readonly folded: number }>(
      'select count(*)::int as stored, count(distinct unique_code)::int as codes, (select version::int from project_lists) as folded from projects',
    )
    const [{ stored, codes, folded } = { stored: 0, codes: 0, folded: 0 }] = rows
    expect(codes).toBe(stored)
    expect(folded).toBeGreaterThan(0)
    // The creation of a peer that died may be stored without an answer.
    expect(stored).toBeGreaterThanOrEqual(acknowledged)
    expect(stored).toBeLessThanOrEqual(outcome === 'dies' ? acknowledged + frozen : acknowledged)
    expect(await totalOf(storage)).toBe(stored)
  })
})
