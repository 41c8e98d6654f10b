import type { AppContext } from './app-context.ts'
import { warnOnce } from './warn-once.ts'

const HINT = 'behind a proxy all clients count as one address: set COUNTERSIGN_TRUST_PROXY to the number of proxies'

/**
 * Makes a function that logs one warning if `X-Forwarded-For` arrives and no proxy is configured. Behind an unconfigured
 * proxy, all clients share the limits of one address.
 */
export const warnOfIgnoredForwarding = ({
  logger,
  trustProxy,
}: Pick<AppContext, 'logger' | 'trustProxy'>): AppContext['noteForwarding'] => {
  const warn = warnOnce(logger, 'forwarded_for_ignored', HINT)
  return (headers) => {
    if (trustProxy === 0 && headers.has('x-forwarded-for')) warn()
  }
}
