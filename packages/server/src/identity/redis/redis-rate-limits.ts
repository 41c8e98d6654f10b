import type { ProbeStatus } from '@countersign/contract'
import { type Clock, type Logger, type RateLimitStore, systemClock } from '@countersign/core'
import { openRedis, prove, type RedisConnection } from './open-redis.ts'
import { RedisFailed } from './redis-failed.ts'

export interface RedisRateLimitsOptions {
  /** `redis://…` or `rediss://…`; may hold a password. */
  readonly url: string
  /** Counts while Redis does not: the database's store. */
  readonly fallback: RateLimitStore
  readonly logger: Logger
  readonly clock?: Clock
  /** Milliseconds that a request waits for Redis at most. */
  readonly answerTime?: number
  /** Milliseconds before Redis is tried again the first time; each time doubles it, up to five seconds. */
  readonly firstPause?: number
}

/** Rate limits in Redis while it is there, and in the database while it is not. */
export interface RedisRateLimits extends RateLimitStore {
  /** `healthy` where Redis counted just now. */
  health(): Promise<ProbeStatus>
  /** Resolves once nothing is open. */
  close(): Promise<void>
}

/** Milliseconds. */
const ANSWER_TIME = 200
const FIRST_PAUSE = 250
const LONGEST_PAUSE = 5000
/** A connection that lasted as long was a good one: after it, pauses begin anew. */
const GOOD_AFTER = 10_000

/**
 * Counts in Redis, so that all servers on one Redis share their limits, and falls back to the database.
 *
 * The first failure of any kind closes the connection, and from then on no request waits for Redis, or even tries it: it is
 * tried beside the requests until it counts again. So an outage costs the requests that are under way when it begins
 * `answerTime` at most, and others nothing. A request whose answer was lost may have been counted in both.
 *
 * Redis and the database do not know of each other's counts: who is at the limit of one begins afresh in the other. So
 * while Redis keeps what it knows, twice the limit is allowed at most, however often it goes and comes.
 *
 * Nothing is opened before the first request or the first question for its health.
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
  let toldOf: string | undefined

  const tryAgainLater = ({ code }: RedisFailed): void => {
    if (isClosed) return
    // An outage is told once, and again where its reason changes.
    if (toldOf !== code) logger.warn('redis_away', { reason: code })
    toldOf = code
    retry = setTimeout(() => void open(), pause)
    retry.unref()
    pause = Math.min(2 * pause, LONGEST_PAUSE)
  }

  const lose = (lost: RedisConnection, reason: RedisFailed): void => {
    if (connection !== lost) return
    connection = undefined
    lost.close()
    if (performance.now() - openedAt > GOOD_AFTER) pause = firstPause
    tryAgainLater(reason)
  }

  const connect = async (): Promise<void> => {
    if (isClosed) return
    try {
      const opened = await openRedis({ url, answerTime }, clock.now())
      if (isClosed) return opened.close()
      connection = opened
      openedAt = performance.now()
      toldOf = undefined
      logger.info('redis_connected')
      void opened.broken.then((reason) => lose(opened, reason))
    } catch (error) {
      tryAgainLater(asFailed(error))
    }
  }

  const open = (): Promise<void> => {
    opening = connect()
    return opening
  }
  /** Resolves once the first attempt is over; whoever comes first begins it. */
  const begun = (): Promise<void> => {
    first ??= open()
    return first
  }

  return {
    take: async (key, limit, now) => {
      void begun()
      const used = connection
      if (used === undefined) return fallback.take(key, limit, now)
      try {
        return await used.take(key, limit, now)
      } catch (error) {
        lose(used, asFailed(error))
        return fallback.take(key, limit, now)
      }
    },
    health: async () => {
      await begun()
      const asked = connection
      if (asked === undefined) return 'unhealthy'
      try {
        await prove(asked, clock.now())
        return 'healthy'
      } catch (error) {
        lose(asked, asFailed(error))
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

/** Whatever else goes wrong on the way to Redis (a driver that cannot be loaded) is an outage as well. */
const asFailed = (error: unknown): RedisFailed => (error instanceof RedisFailed ? error : new RedisFailed('UNKNOWN'))
