import { setTimeout as pause } from 'node:timers/promises'
import type { Admission, Connector } from './servers/connector.ts'
import { endClient } from './servers/end-client.ts'

/** Milliseconds between two questions. */
const INTERVAL = 500
const settings = { application_name: 'countersign-probe', statement_timeout: 1000, query_timeout: 1500 }

/**
 * The sessions of closed connections whose last statement was not answered in time. PostgreSQL goes on with such a session: a
 * commit that waits for a synchronous standby ends only when the standby is back. Until then the session needs one of the
 * connections that PostgreSQL allows.
 */
export interface AbandonedSessions {
  /** Resolves once PostgreSQL has ended the session; at once for a session behind a pooler, or of another server or start. */
  end(session: Admission): Promise<void>
  /** Stops asking. Promises that are pending stay pending. */
  close(): void
}

/** Asks PostgreSQL for abandoned sessions while there are any, on a connection of its own. */
export const watchAbandonedSessions = (servers: Connector): AbandonedSessions => {
  const ending = new Map<Admission, () => void>()
  let isWatching = false
  let isClosed = false

  const living = async (processes: readonly number[]): Promise<ReadonlySet<number>> => {
    const { client } = await servers.connect(settings)
    try {
      const text = 'select pid from pg_stat_activity where pid = any($1)'
      const { rows } = await client.query<{ readonly pid: number }>(text, [processes])
      return new Set(rows.map(({ pid }) => pid))
    } finally {
      await endClient(client).catch(() => {})
    }
  }

  const removeEnded = async (): Promise<void> => {
    // A session that is abandoned after the query was sent is not in its result.
    const asked = [...ending]
    const alive = await living(asked.map(([{ process }]) => process))
    for (const [session, resolve] of asked) {
      if (session.run === servers.run && alive.has(session.process)) continue
      ending.delete(session)
      resolve()
    }
  }

  const watch = async (): Promise<void> => {
    isWatching = true
    while (ending.size > 0) {
      await pause(INTERVAL, undefined, { ref: false })
      if (isClosed) return
      // Without an answer the sessions count as alive.
      await removeEnded().catch(() => {})
    }
    isWatching = false
  }

  return {
    end: async (session) => {
      if (!session.isDirect || isClosed) return
      const ended = new Promise<void>((resolve) => void ending.set(session, resolve))
      if (!isWatching) void watch()
      await ended
    },
    close: () => {
      isClosed = true
    },
  }
}
