import { systemClock } from '@countersign/core'
import { openRedis } from './open-redis.ts'

/** Milliseconds: nobody waits for it but an operator. */
const ANSWER_TIME = 2000

/** Connects to Redis and counts there, as the server does, then leaves. @throws RedisFailed whose `code` says why not */
export const checkRedis = async (url: string): Promise<void> => {
  const connection = await openRedis({ url, answerTime: ANSWER_TIME }, systemClock.now())
  connection.close()
}
