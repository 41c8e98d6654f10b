import { performance } from 'node:perf_hooks'
import pg from 'pg'
import { CONNECT_TIMEOUT, connectionSettings } from './connection-settings.ts'
import type { Admission, Connector } from './servers/connector.ts'
import { EndingClient, hangUpLate } from './servers/end-client.ts'
import { takeTurns } from './turns.ts'
import { withinTime } from './within-time.ts'

/** Milliseconds for which a connection that is in use is waited for while none comes back, and others than the first are tried. */
const ACQUIRE_TIMEOUT = CONNECT_TIMEOUT
/** Milliseconds that a crowd of requests at once may take to be served, one after the other. */
const LONGEST_QUEUE = 10_000
const STATEMENT_TIMEOUT = 3500
const LOCK_TIMEOUT = 3250
/** Past the server's own time-out: for a server that does not even say that. */
const ANSWER_TIMEOUT = 3750
/**
 * Less than the five seconds for which a request may hang: for a connection, since the last time that work on any other one
 * got on, and for an answer on it, together.
 */
const LONGEST_WAIT = 4750
/** Of these for a connection, at most: nothing is asked that has no time to be answered. */
const LONGEST_ACQUIRE = 4000
/** A transaction waits for nothing but its own statements. */
const IDLE_IN_TRANSACTION_TIMEOUT = 5000

/** Milliseconds after which a connection that rested is asked whether it is still one: what lies between may forget it. */
const RESTED = 1000
const PROOF_TIMEOUT = 1000

/** A connection that is given out, until it is released. */
export interface Acquired {
  readonly client: pg.ClientBase
  /** @param how `gotOn`: whether what was done on it came to an end that shows the database at work. */
  release(how: { readonly isBroken: boolean; readonly gotOn: boolean }): void
  /** Milliseconds that any statement on it may take to be answered; `undefined` where it may take as long as it needs. */
  readonly answerTimeout: number | undefined
  /** Whether statements that were prepared on it by name will be there the next time. */
  readonly keepsStatements: boolean
}

/** Connections for statements. */
export interface Pool {
  /**
   * A connection that, as far as can be known without a statement on it, is alive. It is made within a bounded time, or
   * waited for while those who use the others get on. Its end is an event of it; an error of it ends nothing.
   */
  acquire(): Promise<Acquired>
  /** Says that something broke: every connection is asked whether it is alive before it is given out again. */
  suspect(): void
  /** Says that a prepared statement was not there, or not as it was: from now on, none is relied on. */
  distrustStatements(): void
  /** Waits for whoever has a connection, and in a second hangs up on all. Resolves once none is open. */
  end(): Promise<void>
}

const serverTimeouts = {
  statement_timeout: STATEMENT_TIMEOUT,
  lock_timeout: LOCK_TIMEOUT,
  idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_TIMEOUT,
  query_timeout: ANSWER_TIMEOUT,
} satisfies pg.ClientConfig

interface Proven extends Admission {
  /** When it was last known to be alive. */
  at: number
}

export const createPool = (servers: Connector, size: number): Pool => poolOf(servers, { max: size, ...serverTimeouts })

/** One connection whose statements may take as long as they need: a large import, or the wait for another's migration. */
export const createPatientPool = (servers: Connector): Pool => poolOf(servers, { max: 1 })

const poolOf = (servers: Connector, settings: pg.PoolConfig & { readonly max: number }): Pool => {
  const turns = takeTurns(settings.max, { patience: ACQUIRE_TIMEOUT, longest: LONGEST_QUEUE })
  const isPatient = settings.query_timeout === undefined
  const proven = new WeakMap<pg.ClientBase, Proven>()
  const open = new Set<pg.Client>()
  let suspectedAt = Number.NEGATIVE_INFINITY
  /** What was not proven since is given up: a server that left one without an answer leaves the others so, too. */
  let abandonedAt = Number.NEGATIVE_INFINITY
  let areStatementsTrusted = true

  /** The pool makes one of these for each connection, of the server that is chosen then. */
  class Client extends EndingClient {
    constructor() {
      super({ ...servers.settings(), ...settings })
    }
  }

  const pool = new pg.Pool({
    ...connectionSettings,
    ...settings,
    Client,
    verify: (client, done) => {
      client.on('error', () => {})
      open.add(client)
      client.once('end', () => open.delete(client))
      servers.admit(client).then(
        (admission) => {
          proven.set(client, { ...admission, at: performance.now() })
          done()
        },
        (error: Error) => done(error),
      )
    },
  })
  // An idle connection that breaks is replaced when one is asked for; without a listener it would end the process.
  pool.on('error', () => {
    suspectedAt = performance.now()
  })
  pool.on('release', (error, client) => {
    const proof = proven.get(client)
    if (!error && proof !== undefined) proof.at = performance.now()
  })

  const isAlive = async (client: pg.PoolClient): Promise<boolean> => {
    const proof = proven.get(client)
    if (proof === undefined || proof.run !== servers.run || proof.at < abandonedAt) return false
    const now = performance.now()
    if (proof.at > suspectedAt && now - proof.at < RESTED) return true
    try {
      await client.query({ text: 'select', query_timeout: PROOF_TIMEOUT } as pg.QueryConfig)
      proof.at = performance.now()
      return true
    } catch {
      if (performance.now() - now >= PROOF_TIMEOUT) abandonedAt = Math.max(abandonedAt, now)
      return false
    }
  }

  /** Where the chosen server cannot be reached, or is not of the wanted kind, tries the others, each once. */
  const connect = async (): Promise<pg.PoolClient> => {
    const startedAt = performance.now()
    for (let attempt = 1; ; attempt += 1) {
      const server = servers.settings()
      try {
        return await pool.connect()
      } catch (error) {
        servers.passOver(server)
        if (attempt === servers.count || performance.now() - startedAt >= ACQUIRE_TIMEOUT) throw error
      }
    }
  }

  /** Within a turn, so there is room for one more where none is free. @param stalled Milliseconds that were waited for it. */
  const acquire = async (stalled: number): Promise<Acquired> => {
    const startedAt = performance.now()
    for (;;) {
      const client = await connect()
      const isGood = await isAlive(client)
      const waited = performance.now() - startedAt
      const release: Acquired['release'] = ({ isBroken, gotOn }) => {
        client.release(isBroken)
        turns.giveBack(gotOn)
      }
      const answerTimeout = isPatient ? undefined : Math.min(ANSWER_TIMEOUT, LONGEST_WAIT - stalled - waited)
      const keepsStatements = areStatementsTrusted && proven.get(client)?.isDirect === true
      if (isGood) return { client, release, answerTimeout, keepsStatements }
      client.release(true)
      if (waited >= ACQUIRE_TIMEOUT) throw new Error('No connection to the database is alive')
    }
  }

  /** Gives its turn back where it comes to nothing. */
  const acquireOrGiveBack = async (stalled: number): Promise<Acquired> => {
    try {
      return await acquire(stalled)
    } catch (error) {
      turns.giveBack(false)
      throw error
    }
  }

  return {
    acquire: async () => {
      const stalled = await turns.take()
      const acquiring = acquireOrGiveBack(stalled)
      if (isPatient) return acquiring
      // One that comes too late is free for others.
      const giveBack = ({ release }: Acquired) => release({ isBroken: false, gotOn: true })
      return withinTime(acquiring, LONGEST_ACQUIRE - stalled, giveBack)
    },
    suspect: () => {
      suspectedAt = performance.now()
    },
    distrustStatements: () => {
      areStatementsTrusted = false
    },
    end: async () => {
      const late = hangUpLate(open)
      await pool.end()
      clearTimeout(late)
      // The pool has said goodbye on all of them by now, and waits for no answer.
      for (const client of open) await new Promise((resolve) => client.once('end', resolve))
    },
  }
}
