import { systemClock } from '@countersign/core'
import { openRedis } from './open-redis.ts'

/** Milliseconds. Longer than for requests, because only an operator waits. */
const ANSWER_TIME = 2000

/**
 * Connects to Redis and counts one request there. It is apart from the driver, so that the types of this package need no types of
 * an optional package. @throws RedisFailed
 */
export const checkRedis = async (url: string): Promise<void> => {
  const connection = await openRedis({ url, answerTime: ANSWER_TIME }, systemClock.now())
  connection.close()
}
