import type { Instant, RateLimit, RateLimitDecision } from '@countersign/core'
import { decideRateLimit } from '@countersign/core/storage'
import type * as Redis from '@redis/client'
import { within } from '../../shared/deadline.ts'
import { codeOf, RedisFailed } from './redis-failed.ts'
import { TAKE_SCRIPT } from './take-script.ts'

/** One connection. It is never mended: what has failed once is closed, and another one opened. */
export interface RedisConnection {
  /** As a `RateLimitStore` does. @throws RedisFailed within `answerTime` */
  take(key: string, limit: RateLimit, now: Instant): Promise<RateLimitDecision>
  /** Resolves once the connection has broken, or was closed. */
  readonly broken: Promise<RedisFailed>
  /** At once; what is under way fails. */
  close(): void
}

export interface RedisOptions {
  /** `redis://…` or `rediss://…`; may hold a password. */
  readonly url: string
  /** Milliseconds that an answer may take. */
  readonly answerTime: number
}

/** Milliseconds that TCP, TLS and the greeting may take. */
const CONNECT_TIME = 1000
/** As long as the database keeps what holds nothing against anybody: a clock that steps back must not find it gone. */
const KEPT = 3_600_000
const PREFIX = 'countersign:rate-limit:'

const defineTake = ({ defineScript }: typeof Redis) =>
  defineScript({
    SCRIPT: TAKE_SCRIPT,
    NUMBER_OF_KEYS: 1,
    parseCommand: (
      parser: Redis.CommandParser,
      key: string,
      { burst, refillMs, windowMax, windowMs }: RateLimit,
      now: Instant,
    ) => {
      parser.pushKey(PREFIX + key)
      parser.push(...[now, burst, refillMs, windowMax, windowMs, KEPT].map(String))
    },
    transformReply: (reply: readonly [fullAt: Instant, ceilingAgo?: Instant]) => reply,
  })

const createClient = (redis: typeof Redis, url: string) =>
  redis.createClient({
    url,
    // What every version and every proxy speaks; nothing here needs more.
    RESP: 2,
    scripts: { take: defineTake(redis) },
    socket: { connectTimeout: CONNECT_TIME, reconnectStrategy: false },
    // Waiting is bounded below, by what has to be waited for: the answer.
    commandOptions: { timeout: 0 },
    disableOfflineQueue: true,
    disableClientInfo: true,
    maintNotifications: 'disabled',
  })

/**
 * Connects, and takes once from a limit of its own: so what it resolves to is a Redis that may be used, written to, and has
 * room. The driver is loaded here, and nowhere else. @throws RedisFailed
 */
export const openRedis = async ({ url, answerTime }: RedisOptions, now: Instant): Promise<RedisConnection> => {
  const redis = await import('@redis/client')
  const client = createClient(redis, url)
  const failed = (error: unknown): RedisFailed => {
    if (error instanceof RedisFailed) return error
    if (error instanceof redis.ConnectionTimeoutError) return new RedisFailed('TIMEOUT')
    return new RedisFailed(codeOf(error, error instanceof redis.ErrorReply))
  }
  const inTime = async <T>(time: number, work: Promise<T>): Promise<T> => {
    try {
      if (await within(time, work)) return await work
      throw new RedisFailed('TIMEOUT')
    } catch (error) {
      throw failed(error)
    }
  }
  const broken = new Promise<RedisFailed>((resolve) => {
    client.on('error', (error: unknown) => resolve(failed(error)))
    client.on('end', () => resolve(new RedisFailed('CLOSED')))
  })
  const connection: RedisConnection = {
    take: async (key, limit, stamp) => {
      const [fullAt, ceilingAgo] = await inTime(answerTime, client.take(key, limit, stamp))
      return decideRateLimit(limit, fullAt, ceilingAgo, stamp)
    },
    broken,
    close: () => client.destroy(),
  }
  try {
    // The driver bounds the connecting itself: given up before it settles, it would leave a socket behind.
    const connecting = client.connect()
    await inTime(2 * CONNECT_TIME, connecting)
    await prove(connection, now)
    return connection
  } catch (error) {
    connection.close()
    throw failed(error)
  }
}

/** A limit that nobody is held to, and that is over in a millisecond. */
const unlimited: RateLimit = { burst: 1, refillMs: 1, windowMax: 1, windowMs: 1 }

/** Takes from a limit of its own, as a request would. @throws RedisFailed */
export const prove = async (connection: Pick<RedisConnection, 'take'>, now: Instant): Promise<void> => {
  await connection.take('probe', unlimited, now)
}
