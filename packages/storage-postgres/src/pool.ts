import { performance } from 'node:perf_hooks'
import type { ConnectionStatistics } from '@countersign/core/storage'
import pg from 'pg'
import { type AbandonedSessions, watchAbandonedSessions } from './abandoned-sessions.ts'
import { createConnectionQueue, type Share } from './connection-queue.ts'
import { CONNECT_TIMEOUT, connectionSettings, endOfLife } from './connection-settings.ts'
import { isDatabaseError } from './reason-of.ts'
import type { Admission, Connector } from './servers/connector.ts'
import { EndingClient, hangUpLate } from './servers/end-client.ts'

/** Milliseconds to wait for a connection without progress of other callers, and for trying further servers after the first. */
export const ACQUIRE_TIMEOUT = CONNECT_TIMEOUT
/** Milliseconds that a caller may wait in the queue while other callers make progress. */
export const LONGEST_QUEUE = 10_000
const STATEMENT_TIMEOUT = 3500
const LOCK_TIMEOUT = 3250
/** Longer than `STATEMENT_TIMEOUT`, after which PostgreSQL itself ends the statement. Ends the wait for a server that hangs. */
export const ANSWER_TIMEOUT = 3750
/** The most milliseconds for a connection and the answer, counted again at each answer. A request has five seconds. */
export const LONGEST_WAIT = 4750
/** Milliseconds of `LONGEST_WAIT` for the connection. The rest is needed for the answer. */
export const LONGEST_ACQUIRE = 4000
/** A transaction only waits for its own statements, so a longer pause means that the caller is gone. */
const IDLE_IN_TRANSACTION_TIMEOUT = 5000

/** Milliseconds of rest after which a connection is probed, because a firewall or NAT may have dropped the connection. */
export const RESTED = 1000
const PROBE_TIMEOUT = 1000

/** The number of idle connections that stay open, so that others cannot take the last connections of the server or role. */
const LEAST_CONNECTIONS = 2

/** The state of a connection at its release. */
interface Outcome {
  readonly isBroken: boolean
  /** True if a statement was still unanswered after its timeout. PostgreSQL may work on it for as long as it likes. */
  readonly isUnanswered: boolean
  /** True if the work shows that the database is working. */
  readonly madeProgress: boolean
}

/** A connection that a caller has until the caller releases it. */
export interface Acquired {
  readonly client: pg.ClientBase
  release(outcome: Outcome): void
  /** Milliseconds in which a statement must be answered. `undefined` means no limit. */
  readonly answerTimeout: number | undefined
  /** True if statements that are prepared by name are still there when the connection is used again. */
  readonly reusesStatements: boolean
}

export interface Pool {
  /** Resolves with a connection that was alive when last used. Waits longer only while other callers make progress. */
  acquire(): Promise<Acquired>
  /** Returns the same pool for the callers of a share, who wait for each other. Other callers find a free connection. */
  within(share: Share): Pool
  /** Probes every connection before its next use. Called after any connection broke. */
  recheckAll(): void
  /** Sends every statement whole from now on. Called after a prepared statement was missing or changed. */
  stopReusingStatements(): void
  /** Returns the use of the connections. An abandoned session counts as a connection in use. */
  statistics(): ConnectionStatistics
  /** Waits one second for callers, then closes every connection. Resolves when none is open. */
  end(): Promise<void>
}

const serverTimeouts = {
  statement_timeout: STATEMENT_TIMEOUT,
  lock_timeout: LOCK_TIMEOUT,
  idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_TIMEOUT,
  query_timeout: ANSWER_TIMEOUT,
} satisfies pg.ClientConfig

/** Overrides the timeouts of the role and of the database. Texts, because the driver omits the number 0. */
const noServerTimeouts = { statement_timeout: '0', lock_timeout: '0' } as unknown as pg.ClientConfig

/** Returns whether the role, the database or the server has no more connections (`too_many_connections`, PostgreSQL appendix A). */
const hasNoMore = (error: unknown): boolean => isDatabaseError(error) && error.code === '53300'

interface KnownClient extends Admission {
  /** The time of the last proof that the connection is alive. */
  aliveAt: number
  readonly endsAt: number
}

/** Makes a pool of at most `size` connections, each replaced after `maxAge` milliseconds. Pools of a storage share `abandoned`. */
export const createPool = (servers: Connector, size: number, maxAge: number, abandoned?: AbandonedSessions): Pool =>
  poolOf(servers, { max: size, ...serverTimeouts }, maxAge, abandoned)

/**
 * Creates the pool of the write probe: one connection, closed after some seconds without a probe. There is never a second hanging
 * probe, because the session of the first counts as in use until PostgreSQL has ended it.
 */
export const createProbePool = (servers: Connector, maxAge: number, abandoned: AbandonedSessions): Pool =>
  poolOf(servers, { max: 1, min: 0, application_name: 'countersign-probe', ...serverTimeouts }, maxAge, abandoned)

/** Creates a pool of one connection without timeouts, for a large import or the wait for another process's migration. */
export const createPoolWithoutTimeouts = (servers: Connector): Pool =>
  poolOf(servers, { max: 1, ...noServerTimeouts }, Number.POSITIVE_INFINITY)

const poolOf = (
  servers: Connector,
  settings: pg.PoolConfig & { readonly max: number },
  maxAge: number,
  abandoned: AbandonedSessions = watchAbandonedSessions(servers),
): Pool => {
  const queue = createConnectionQueue(settings.max, { patience: ACQUIRE_TIMEOUT, longest: LONGEST_QUEUE })
  const hasTimeouts = settings.query_timeout !== undefined
  const knownClients = new WeakMap<pg.ClientBase, KnownClient>()
  const open = new Set<pg.Client>()
  let recheckBefore = Number.NEGATIVE_INFINITY
  /** Connections without a proof of life since this time are closed: a server that ignores one probe ignores the others too. */
  let closeBefore = Number.NEGATIVE_INFINITY
  let mayReuseStatements = true

  /** The pool constructs a client for each connection, with the settings of the currently chosen server. */
  class Client extends EndingClient {
    constructor() {
      super({ ...servers.settings(), ...settings })
    }
  }

  const pool = new pg.Pool({
    ...connectionSettings,
    min: LEAST_CONNECTIONS,
    ...settings,
    ...(Number.isFinite(maxAge) && { maxLifetimeSeconds: maxAge / 1000 }),
    Client,
    verify: (client, done) => {
      client.on('error', () => {})
      open.add(client)
      client.once('end', () => open.delete(client))
      servers.admit(client).then(
        (admission) => {
          knownClients.set(client, { ...admission, aliveAt: performance.now(), endsAt: endOfLife(maxAge) })
          done()
        },
        (error: Error) => done(error),
      )
    },
  })
  // The pool replaces an idle connection that breaks. Without this listener the error would end the process.
  pool.on('error', () => {
    recheckBefore = performance.now()
  })
  pool.on('release', (error, client) => {
    const known = knownClients.get(client)
    if (!error && known !== undefined) known.aliveAt = performance.now()
  })

  const isAlive = async (client: pg.PoolClient): Promise<boolean> => {
    const known = knownClients.get(client)
    if (known === undefined || known.run !== servers.run || known.aliveAt < closeBefore) return false
    const now = performance.now()
    if (known.aliveAt > recheckBefore && now - known.aliveAt < RESTED) return true
    try {
      await client.query({ text: 'select', query_timeout: PROBE_TIMEOUT } as pg.QueryConfig)
      known.aliveAt = performance.now()
      return true
    } catch {
      if (performance.now() - now >= PROBE_TIMEOUT) closeBefore = Math.max(closeBefore, now)
      return false
    }
  }

  const isOld = (client: pg.PoolClient): boolean => performance.now() >= (knownClients.get(client)?.endsAt ?? 0)

  /** Connects to the chosen server. If that fails, tries each further server once. */
  const connect = async (): Promise<pg.PoolClient> => {
    const startedAt = performance.now()
    for (let attempt = 1; ; attempt += 1) {
      const server = servers.settings()
      try {
        return await pool.connect()
      } catch (error) {
        // The server answered that it has no more connections. It still serves the open connections.
        if (hasNoMore(error) && open.size > 0) throw error
        servers.passOver(server)
        if (attempt === servers.count || performance.now() - startedAt >= ACQUIRE_TIMEOUT) throw error
      }
    }
  }

  /** Takes a connection from the driver's pool, which has room. The caller waited `stalled` milliseconds without progress. */
  const takeConnection = async (stalled: number, shares: readonly Share[]): Promise<Acquired> => {
    const startedAt = performance.now()
    for (;;) {
      const client = await connect()
      const isGood = await isAlive(client)
      const waited = performance.now() - startedAt
      const release: Acquired['release'] = ({ isBroken, isUnanswered, madeProgress }) => {
        client.release(isBroken || isOld(client))
        const known = knownClients.get(client)
        if (!isUnanswered || known === undefined) queue.leave(madeProgress, shares)
        else void abandoned.end(known).then(() => queue.leave(false, shares))
      }
      const answerTimeout = hasTimeouts ? Math.min(ANSWER_TIMEOUT, LONGEST_WAIT - stalled - waited) : undefined
      const reusesStatements = mayReuseStatements && knownClients.get(client)?.isDirect === true
      if (isGood) return { client, release, answerTimeout, reusesStatements }
      client.release(true)
      if (waited >= ACQUIRE_TIMEOUT) throw new Error('No connection to the database is alive')
    }
  }

  const takeOrLeaveQueue = async (stalled: number, shares: readonly Share[]): Promise<Acquired> => {
    try {
      return await takeConnection(stalled, shares)
    } catch (error) {
      const settles = hasNoMore(error) && open.size > 0
      if (settles) queue.settleFor(open.size)
      queue.leave(false, shares)
      if (!settles) throw error
      return takeOrLeaveQueue(stalled + (await queue.enter(shares)), shares)
    }
  }

  const acquire = async (shares: readonly Share[]): Promise<Acquired> => {
    const stalled = await queue.enter(shares)
    const acquiring = takeOrLeaveQueue(stalled, shares)
    if (!hasTimeouts) return acquiring
    // A connection that arrives after the timeout goes back to the pool.
    const onLate = ({ release }: Acquired) => release({ isBroken: false, isUnanswered: false, madeProgress: true })
    return withTimeout(acquiring, LONGEST_ACQUIRE - stalled, onLate)
  }

  const poolWithin = (shares: readonly Share[]): Pool => ({
    acquire: () => acquire(shares),
    within: (share) => poolWithin([...shares, share]),
    recheckAll: () => {
      recheckBefore = performance.now()
    },
    stopReusingStatements: () => {
      mayReuseStatements = false
    },
    statistics: () => ({ most: settings.max, ...queue.load() }),
    end: async () => {
      abandoned.close()
      const late = hangUpLate(open)
      await pool.end()
      clearTimeout(late)
      // The driver's pool has begun to close its connections by now, but does not wait for the end.
      for (const client of open) await new Promise((resolve) => client.once('end', resolve))
    },
  })
  return poolWithin([])
}

/** Waits for a promise for a limited time. `onLate` gets a later value. @throws Error with the code `ETIMEDOUT` */
export const withTimeout = <T>(promise: Promise<T>, milliseconds: number, onLate: (value: T) => void): Promise<T> =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      reject(Object.assign(new Error('No connection to the database was had in time'), { code: 'ETIMEDOUT' }))
      // After the timeout no caller waits, so a rejection is ignored.
      promise.then(onLate).catch(() => {})
    }, milliseconds)
    promise.then(resolve, reject).finally(() => clearTimeout(timer))
  })
