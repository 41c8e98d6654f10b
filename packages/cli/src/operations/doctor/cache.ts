import { checkRedis, failureReason, StartupError, shownRedis } from '@countersign/server'
import { type Finding, failed, notConfigured, ok } from './check.ts'

/** Checks that a configured Redis server counts rate limits. The check counts once, on a key that expires. */
export const examineCache = async (url: string | undefined): Promise<Finding> => {
  if (url === undefined) return notConfigured('rate limits are counted in the database')
  try {
    await checkRedis(url)
    return ok(`rate limits are counted in ${shownRedis(url)}`)
  } catch (error) {
    if (error instanceof StartupError) return failed(error.message)
    return failed(`${shownRedis(url)} does not count rate limits, and the database does meanwhile: ${failureReason(error)}`)
  }
}
