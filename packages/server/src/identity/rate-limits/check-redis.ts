import { systemClock } from '@countersign/core'
import { openRedis } from './open-redis.ts'

/** Milliseconds. Longer than for requests, because only an operator waits. */
const ANSWER_TIME = 2000

/** Connects to Redis and counts one request. This file needs no types of the optional driver. @throws RedisFailed */
export const checkRedis = async (url: string): Promise<void> => {
  const connection = await openRedis({ url, answerTime: ANSWER_TIME }, systemClock.now())
  connection.close()
}
