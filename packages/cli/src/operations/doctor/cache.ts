import { checkRedis, failureCode, shownRedis } from '@countersign/server'
import { type Finding, failed, notConfigured, ok } from './check.ts'

/** Whether Redis counts, where there is one: it is asked to, once, on a key that expires by itself. */
export const examineCache = async (url: string | undefined): Promise<Finding> => {
  if (url === undefined) return notConfigured('rate limits are counted in the database')
  try {
    await checkRedis(url)
    return ok(`rate limits are counted in ${shownRedis(url)}`)
  } catch (error) {
    return failed(`${shownRedis(url)} does not count rate limits (${failureCode(error)}); the database does meanwhile`)
  }
}
