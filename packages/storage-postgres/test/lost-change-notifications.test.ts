import { setTimeout as pause } from 'node:timers/promises'
import { clockStart as now } from '@countersign/core/testing'
import { describe, expect, it, onTestFinished } from 'vitest'
import { startPostgres } from '../../../tools/testing/start-postgres.ts'
import { A_SECOND, expectWithinASecond } from '../../../tools/testing/within-a-second.ts'
import { connect } from './open-migrated.ts'
import { type Listening, openListening } from './open-through-proxy.ts'

const SESSIONS = 30
/** Milliseconds between two ended sessions. Many end in the first second after the loss, and many later. */
const BETWEEN = 80

/** Opens a separate server, whose processes a test may stop. */
const openOwnServer = async (): Promise<Listening> => {
  const server = await startPostgres()
  onTestFinished(() => server.remove())
  return openListening(server.url)
}

const processOfListener = async (url: string): Promise<number> => {
  const client = await connect(url)
  const { rows } = await client.query<{ pid: number }>(
    `select pid from pg_stat_activity where application_name = 'countersign-listener' and datname = current_database()`,
  )
  const pid = rows[0]?.pid
  if (pid === undefined) throw new Error('nobody listens')
  return pid
}

interface Loss {
  readonly how: string
  /** True if no other connection can replace the lost one. */
  readonly isLasting: boolean
  /** True if the loss stops a process of the server, which would also stop the tests of other files. */
  readonly stopsServer?: boolean
  /** Causes the loss. Resolves with a function that undoes it. */
  cause(given: Listening): Promise<() => void>
}

const losses: readonly Loss[] = [
  {
    how: 'its server process is ended',
    isLasting: false,
    cause: async ({ url }) => {
      const client = await connect(url)
      await client.query('select pg_terminate_backend($1)', [await processOfListener(url)])
      return () => {}
    },
  },
  {
    how: 'its server process is stopped',
    isLasting: false,
    stopsServer: true,
    cause: async ({ url }) => {
      const pid = await processOfListener(url)
      process.kill(pid, 'SIGSTOP')
      return () => void process.kill(pid, 'SIGCONT')
    },
  },
  {
    how: 'the network drops its traffic',
    isLasting: false,
    cause: async ({ listener }) => {
      const held = listener()
      held.hold()
      return held.release
    },
  },
  {
    how: 'the network also drops the traffic of new connections',
    isLasting: true,
    cause: async ({ proxy, listener }) => {
      const held = listener()
      held.hold()
      proxy.holdNew(true)
      return () => proxy.holdNew(false)
    },
  },
]

describe('while the listening connection is lost', () => {
  it.each(losses)(
    'because $how, the cache is stale for less than a second and is then not used',
    async ({ isLasting, stopsServer, cause }) => {
      const test = await (stopsServer ? openOwnServer() : openListening())
      const { storage, other, openSession, untilRemembered, listener } = test
      const sessions = await Promise.all(Array.from({ length: SESSIONS }, openSession))
      const kept = await openSession()
      for (const { id } of [...sessions, kept]) await untilRemembered(id)
      const lost = listener()

      const restore = await cause(test)
      const lostAt = performance.now()
      for (const { id } of sessions) {
        await other.sessions.end(id, 'logout', now)
        const isUnsure = isLasting && performance.now() - lostAt > A_SECOND
        await expectWithinASecond(async () => {
          await pause(1)
          const isRefused = (await storage.sessions.status(id)) === undefined
          expect(isRefused || !isUnsure, 'no answer from memory').toBe(true)
          return isRefused
        })
        await pause(BETWEEN)
      }
      expect(performance.now() - lostAt).toBeGreaterThan(2 * A_SECOND)

      restore()
      await untilRemembered(kept.id)
      expect(listener()).not.toBe(lost)
      for (const { id } of sessions) expect(await storage.sessions.status(id)).toBeUndefined()
    },
  )
})

/** Removes notifications from the server's messages, as a pooler does after it has lent the connection to another client. */
const withoutNotifications = (chunk: Buffer): Buffer => {
  const kept: Buffer[] = []
  for (let at = 0; at + 5 <= chunk.length; ) {
    const end = at + 1 + chunk.readUInt32BE(at + 1)
    if (String.fromCharCode(chunk.readUInt8(at)) !== 'A') kept.push(chunk.subarray(at, end))
    at = end
  }
  return Buffer.concat(kept)
}

it('behind a pooler that drops notifications, the session cache is used, and never more than a second out of date', async () => {
  const { openSession, untilRemembered, storage, other } = await openListening(undefined, withoutNotifications)
  const { id } = await openSession()
  await untilRemembered(id)
  await other.sessions.end(id, 'logout', now)
  await expectWithinASecond(async () => {
    await pause(1)
    return (await storage.sessions.status(id)) === undefined
  })
})
