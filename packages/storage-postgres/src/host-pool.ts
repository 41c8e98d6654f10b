import { Overloaded } from '@countersign/core/storage'
import type pg from 'pg'
import { createConnectionQueue, type Share } from './connection-queue.ts'
import {
  ACQUIRE_TIMEOUT,
  type Acquired,
  ANSWER_TIMEOUT,
  LONGEST_ACQUIRE,
  LONGEST_QUEUE,
  LONGEST_WAIT,
  type Pool,
  RESTED,
  withTimeout,
} from './pool.ts'
import type { Connector } from './servers/connector.ts'

const ignore = () => {}

/** Takes connections from the host's pool. Their settings stay, and no statement stays prepared. Only broken ones are closed. */
export const hostPool = (pool: pg.Pool, servers: Connector): Pool => {
  const { max } = pool.options
  const queue = createConnectionQueue(max, { patience: ACQUIRE_TIMEOUT, longest: LONGEST_QUEUE })
  /** The time of the last proof that a connection is alive, on a server that is known. */
  const aliveAt = new WeakMap<pg.PoolClient, number>()
  let recheckBefore = Number.NEGATIVE_INFINITY

  const isAlive = async (client: pg.PoolClient): Promise<boolean> => {
    const known = aliveAt.get(client)
    if (known !== undefined && known > recheckBefore && performance.now() - known < RESTED) return true
    try {
      await servers.admit(client)
      return true
    } catch {
      return false
    }
  }

  const takeConnection = async (stalled: number, shares: readonly Share[]): Promise<Acquired> => {
    const startedAt = performance.now()
    for (;;) {
      const client = await pool.connect()
      // Without a listener, an error of the connection would end the process.
      client.on('error', ignore)
      const giveBack = (isBroken: boolean) => {
        client.off('error', ignore)
        client.release(isBroken)
      }
      const isGood = await isAlive(client)
      const waited = performance.now() - startedAt
      const release: Acquired['release'] = ({ isBroken, madeProgress }) => {
        giveBack(isBroken)
        if (!isBroken) aliveAt.set(client, performance.now())
        queue.leave(madeProgress, shares)
      }
      const answerTimeout = Math.min(ANSWER_TIMEOUT, LONGEST_WAIT - stalled - waited)
      if (isGood) return { client, release, answerTimeout, reusesStatements: false }
      giveBack(true)
      if (waited >= ACQUIRE_TIMEOUT) throw new Error('No connection to the database is alive')
    }
  }

  const acquire = async (shares: readonly Share[]): Promise<Acquired> => {
    const stalled = await queue.enter(shares)
    const taking = takeConnection(stalled, shares)
    taking.catch(() => queue.leave(false, shares))
    const onLate = ({ release }: Acquired) => release({ isBroken: false, isUnanswered: false, madeProgress: true })
    try {
      return await withTimeout(taking, LONGEST_ACQUIRE - stalled, onLate)
    } catch (error) {
      const isFull = pool.totalCount >= max && pool.idleCount === 0
      throw isFull ? new Overloaded('Service temporarily unavailable', 'connections_in_use') : error
    }
  }

  const poolWithin = (shares: readonly Share[]): Pool => ({
    acquire: () => acquire(shares),
    within: (share) => poolWithin([...shares, share]),
    recheckAll: () => {
      recheckBefore = performance.now()
    },
    stopReusingStatements: ignore,
    statistics: () => ({ most: max, ...queue.load() }),
    end: async () => {},
  })
  return poolWithin([])
}
