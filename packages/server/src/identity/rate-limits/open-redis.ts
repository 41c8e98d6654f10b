import type { Instant, RateLimit, RateLimitDecision, RateLimitState } from '@countersign/core'
import { decideRateLimit } from '@countersign/core/storage'
import type * as Redis from '@redis/client'
import { whyNotLoaded } from '../../optional-packages.ts'
import { within } from '../../shared/deadline.ts'
import { codeOf, RedisFailed } from './redis-failed.ts'
import { GIVE_BACK_SCRIPT, TAKE_SCRIPT } from './take-script.ts'

/** Loads the driver of Redis. @throws StartupError if it is not installed */
export const loadRedis = async (): Promise<typeof Redis> => {
  try {
    return await import('@redis/client')
  } catch (error) {
    throw whyNotLoaded('@redis/client', error)
  }
}

/** One connection to Redis. A failed connection is closed and never repaired; the caller opens a new connection. */
export interface RedisConnection {
  /** Counts a request, as `RateLimitStore.take` does. @throws RedisFailed within `answerTime` */
  take(key: string, limit: RateLimit, now: Instant): Promise<RateLimitDecision>
  /** Gives a request back, as `RateLimitStore.giveBack` does. @throws RedisFailed within `answerTime` */
  giveBack(key: string, limit: RateLimit, takenAt: Instant): Promise<void>
  /** Returns the state of a limit, as `RateLimitStore.read` does. @throws RedisFailed within `answerTime` */
  read(key: string): Promise<RateLimitState | undefined>
  /** Resolves once the connection is broken or closed. */
  readonly broken: Promise<RedisFailed>
  /** Closes the connection immediately. Pending commands fail. */
  close(): void
}

export interface RedisOptions {
  /** `redis://…` or `rediss://…`. May contain a password. */
  readonly url: string
  /** Milliseconds that a reply may take. */
  readonly answerTime: number
}

/** Milliseconds that TCP, TLS and the greeting of Redis may take. */
const CONNECT_TIME = 1000
/** Milliseconds for which an idle key is kept, as in the database. So a clock that steps back still finds the key. */
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

const defineGiveBack = ({ defineScript }: typeof Redis) =>
  defineScript({
    SCRIPT: GIVE_BACK_SCRIPT,
    NUMBER_OF_KEYS: 1,
    parseCommand: (parser: Redis.CommandParser, key: string, { refillMs }: RateLimit, takenAt: Instant) => {
      parser.pushKey(PREFIX + key)
      parser.push(...[takenAt, refillMs].map(String))
    },
    transformReply: (reply: number) => reply,
  })

const createClient = (redis: typeof Redis, url: string) =>
  redis.createClient({
    url,
    // Every version of Redis and every proxy understands this version of the protocol.
    RESP: 2,
    scripts: { take: defineTake(redis), giveBack: defineGiveBack(redis) },
    socket: { connectTimeout: CONNECT_TIME, reconnectStrategy: false },
    // `inTime` below limits the time of each command.
    commandOptions: { timeout: 0 },
    disableOfflineQueue: true,
    disableClientInfo: true,
    maintNotifications: 'disabled',
  })

/** Connects to Redis and counts a request, which proves rights, writes and memory. @throws RedisFailed, StartupError */
export const openRedis = async ({ url, answerTime }: RedisOptions, now: Instant): Promise<RedisConnection> => {
  const redis = await loadRedis()
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
    giveBack: async (key, limit, takenAt) => void (await inTime(answerTime, client.giveBack(key, limit, takenAt))),
    read: async (key) => {
      const times = (await inTime(answerTime, client.lRange(PREFIX + key, 0, -1))).map(Number)
      const fullAt = times.pop()
      return fullAt === undefined ? undefined : { fullAt, allowedAt: times }
    },
    broken,
    close: () => client.destroy(),
  }
  try {
    // The driver ends the attempt after CONNECT_TIME. The limit here is longer: an attempt that is abandoned earlier would leave
    // an open socket.
    const connecting = client.connect()
    await inTime(2 * CONNECT_TIME, connecting)
    await probe(connection, now)
    return connection
  } catch (error) {
    connection.close()
    throw failed(error)
  }
}

/** The limit of the probe. It allows a request each millisecond. */
const probeLimit: RateLimit = { burst: 1, refillMs: 1, windowMax: 1, windowMs: 1 }

/** Counts one request against the probe limit, as a real request does. @throws RedisFailed */
export const probe = async (connection: Pick<RedisConnection, 'take'>, now: Instant): Promise<void> => {
  await connection.take('probe', probeLimit, now)
}
