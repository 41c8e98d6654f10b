import { randomUUID } from 'node:crypto'
import type { Clock, Logger } from '@countersign/core'
import { type AllStores, SERVER_GONE_AFTER } from '@countersign/core/storage'
import { describeError } from '../logging/error-fields.ts'
import { differencesFrom, type ServerSettings } from './settings.ts'

/** A server announces itself again after this time, so that it counts as running. */
const EVERY = 20_000

type Storage = Pick<AllStores, 'servers'>

/** Returns the settings of the servers that run on the database, except `ownId`. */
const othersOf = async ({ servers }: Storage, now: number, ownId?: string): Promise<readonly ServerSettings[]> =>
  (await servers.since(now - SERVER_GONE_AFTER))
    .filter(({ id }) => id !== ownId)
    .map(({ settings }) => JSON.parse(settings) as ServerSettings)

/** Compares settings with the settings of the running servers of the database: their number, and the names of what differs. */
export const compareServers = async (
  storage: Storage,
  settings: ServerSettings,
  now: number,
): Promise<{ readonly running: number; readonly differences: readonly string[] }> => {
  const others = await othersOf(storage, now)
  return { running: others.length, differences: differencesFrom(others, settings) }
}

/** Makes the announcement of a server to the other servers of its database. */
export const createAnnouncement = (
  storage: Storage,
  settings: ServerSettings,
  { clock, logger }: { readonly clock: Clock; readonly logger: Logger },
) => {
  const id = randomUUID()
  const text = JSON.stringify(settings)
  let timer: NodeJS.Timeout | undefined
  let running: Promise<void> | undefined
  let stopped: Promise<void> | undefined
  let isFailing = false
  /** Logs the first of several failures in a row. */
  const attempt = async (work: () => Promise<void>): Promise<void> => {
    try {
      await work()
      isFailing = false
    } catch (error) {
      if (!isFailing) logger.warn('servers_not_compared', describeError(error))
      isFailing = true
    }
  }
  const announce = async (): Promise<void> => {
    const now = clock.now()
    await storage.servers.announce({ id, seenAt: now, settings: text }, now - SERVER_GONE_AFTER)
  }
  return {
    /** Announces this server to the other servers from now on, and logs the settings that differ. Never rejects. */
    start: async (): Promise<void> => {
      timer ??= setInterval(() => {
        running = attempt(announce)
      }, EVERY).unref()
      running = attempt(async () => {
        await announce()
        const differences = differencesFrom(await othersOf(storage, clock.now(), id), settings)
        if (differences.length > 0) logger.warn('servers_differ', { differences })
      })
      await running
    },
    /** Removes this server from the announced servers, because it stops. Never rejects. */
    stop: (): Promise<void> => {
      if (timer === undefined) return Promise.resolve()
      clearInterval(timer)
      stopped ??= (running ?? Promise.resolve()).then(() => attempt(() => storage.servers.forget(id)))
      return stopped
    },
  }
}
