import type { Host } from './host.ts'

/**
 * Warns in the log, once, where `X-Forwarded-For` arrives and counts for nothing: behind a proxy that the server was not told
 * of, all clients share the limits of one address.
 */
export const warnOfIgnoredForwarding = ({
  logger,
  trustProxy,
}: Pick<Host, 'logger' | 'trustProxy'>): ((headers: Pick<Headers, 'has'>) => void) => {
  let isSettled = trustProxy > 0
  return (headers) => {
    if (isSettled || !headers.has('x-forwarded-for')) return
    isSettled = true
    logger.warn('forwarded_for_ignored', {
      hint: 'behind a proxy all clients count as one address: set COUNTERSIGN_TRUST_PROXY to the number of proxies',
    })
  }
}
