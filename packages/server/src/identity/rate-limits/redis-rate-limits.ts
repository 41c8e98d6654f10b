import type { ProbeStatus } from '@countersign/contract'
import { type Clock, type Logger, type RateLimitStore, systemClock } from '@countersign/core'
import { openRedis, probe, type RedisConnection } from './open-redis.ts'
import { RedisFailed } from './redis-failed.ts'

export interface RedisRateLimitsOptions {
  /** `redis://…` or `rediss://…`. May contain a password. */
  readonly url: string
  /** The store of the database, which counts while Redis is unavailable. */
  readonly fallback: RateLimitStore
  readonly logger: Logger
  readonly clock?: Clock
  /** The most milliseconds that a request waits for Redis. */
  readonly answerTime?: number
  /** Milliseconds before the first new attempt to connect. Each further pause is twice as long, up to five seconds. */
  readonly firstPause?: number
}

/** Rate limits that are counted in Redis, and in the database while Redis is unavailable. */
export interface RedisRateLimits extends RateLimitStore {
  /** Counts one request against the probe limit. Resolves with `healthy` if Redis counts the request. */
  health(): Promise<ProbeStatus>
  /** Closes the connection. Resolves once the connection is closed. */
  close(): Promise<void>
}

// Milliseconds.
const ANSWER_TIME = 200
const FIRST_PAUSE = 250
const LONGEST_PAUSE = 5000
/** A connection that lasted this long was stable. After a stable connection, the pauses start again with the shortest one. */
const STABLE_AFTER = 10_000

/**
 * Counts rate limits in Redis, so that all its servers share them, and in the database while Redis is away. The first request or
 * health check opens the connection.
 * Any failure closes the connection. Requests then use the database at once, while a task in the background connects again. A
 * request whose reply was lost may count in both stores. The stores do not share their counts, so during outages a caller gets at
 * most twice the limit.
 */
export const redisRateLimits = (options: RedisRateLimitsOptions): RedisRateLimits => {
  const { url, fallback, logger, clock = systemClock, answerTime = ANSWER_TIME, firstPause = FIRST_PAUSE } = options
  let connection: RedisConnection | undefined
  let first: Promise<void> | undefined
  let opening: Promise<void> | undefined
  let retry: NodeJS.Timeout | undefined
  let isClosed = false
  let pause = firstPause
  let openedAt = 0
  let loggedReason: string | undefined

  const reconnectLater = ({ code }: RedisFailed): void => {
    if (isClosed) return
    // An outage is logged once, and again if the reason changes.
    if (loggedReason !== code) logger.warn('redis_away', { reason: code })
    loggedReason = code
    retry = setTimeout(() => void open(), pause)
    retry.unref()
    pause = Math.min(2 * pause, LONGEST_PAUSE)
  }

  const dropConnection = (lost: RedisConnection, reason: RedisFailed): void => {
    if (connection !== lost) return
    connection = undefined
    lost.close()
    if (performance.now() - openedAt > STABLE_AFTER) pause = firstPause
    reconnectLater(reason)
  }

  const connect = async (): Promise<void> => {
    if (isClosed) return
    try {
      const opened = await openRedis({ url, answerTime }, clock.now())
      if (isClosed) return opened.close()
      connection = opened
      openedAt = performance.now()
      loggedReason = undefined
      logger.info('redis_connected')
      void opened.broken.then((reason) => dropConnection(opened, reason))
    } catch (error) {
      reconnectLater(asFailed(error))
    }
  }

  const open = (): Promise<void> => {
    opening = connect()
    return opening
  }
  /** Resolves once the first attempt to connect is over. The first caller starts the attempt. */
  const firstAttempt = (): Promise<void> => {
    first ??= open()
    return first
  }

  /** Runs a step in Redis; in the database while Redis is unavailable, or if the step fails in Redis. */
  const withFallback = async <T>(step: (store: RateLimitStore) => Promise<T>): Promise<T> => {
    void firstAttempt()
    const used = connection
    if (used === undefined) return step(fallback)
    try {
      return await step(used)
    } catch (error) {
      dropConnection(used, asFailed(error))
      return step(fallback)
    }
  }

  return {
    take: (key, limit, now) => withFallback((store) => store.take(key, limit, now)),
    giveBack: (key, limit, takenAt) => withFallback((store) => store.giveBack(key, limit, takenAt)),
    read: async (key) => {
      // Only operators read the state of a limit, and they can wait for the connection.
      await firstAttempt()
      return withFallback((store) => store.read(key))
    },
    health: async () => {
      await firstAttempt()
      const used = connection
      if (used === undefined) return 'unhealthy'
      try {
        await probe(used, clock.now())
        return 'healthy'
      } catch (error) {
        dropConnection(used, asFailed(error))
        return 'unhealthy'
      }
    },
    close: async () => {
      isClosed = true
      clearTimeout(retry)
      const last = connection
      connection = undefined
      last?.close()
      await opening
    },
  }
}

/** Returns the error as a `RedisFailed`. Any other failure, such as a driver that cannot be loaded, counts as an outage too. */
const asFailed = (error: unknown): RedisFailed => (error instanceof RedisFailed ? error : new RedisFailed('UNKNOWN'))
