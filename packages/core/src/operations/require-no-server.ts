import { SERVER_GONE_AFTER } from '../identity/records/announced-server.ts'
import type { Clock } from '../shared/clock.ts'
import type { Storage } from '../storage.ts'
import { ServersRunning } from './errors.ts'

const subjectOf = (running: number): string => (running === 1 ? 'a server runs' : `${running} servers run`)

/**
 * Checks that no server was seen on the database in the last minute, by the clock of the database.
 * @throws ServersRunning, which says when the last of them no longer counts
 */
export const requireNoServer = async (storage: Pick<Storage, 'servers' | 'time'>, clock: Pick<Clock, 'now'>): Promise<void> => {
  const now = await (storage.time?.() ?? clock.now())
  const seen = await storage.servers.since(now - SERVER_GONE_AFTER)
  if (seen.length === 0) return
  const until = Math.max(...seen.map(({ seenAt }) => seenAt)) + SERVER_GONE_AFTER + 1
  throw new ServersRunning(
    `${subjectOf(seen.length)} on this database, or did when the backup was made: ` +
      `stop every server; this works in ${Math.ceil((until - now) / 1000)} seconds if none is seen until then`,
    until,
  )
}
