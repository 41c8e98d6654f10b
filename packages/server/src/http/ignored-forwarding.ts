import type { AppContext } from './app-context.ts'

/**
 * Makes a function that logs one warning if `X-Forwarded-For` arrives and no proxy is configured. Behind an unconfigured
 * proxy, all clients share the limits of one address.
 */
export const warnOfIgnoredForwarding = ({
  logger,
  trustProxy,
}: Pick<AppContext, 'logger' | 'trustProxy'>): ((headers: Pick<Headers, 'has'>) => void) => {
  let isSettled = trustProxy > 0
  return (headers) => {
    if (isSettled || !headers.has('x-forwarded-for')) return
    isSettled = true
    logger.warn('forwarded_for_ignored', {
      hint: 'behind a proxy all clients count as one address: set COUNTERSIGN_TRUST_PROXY to the number of proxies',
    })
  }
}
