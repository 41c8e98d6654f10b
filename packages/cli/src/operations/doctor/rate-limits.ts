import { type Config, shownRateLimit } from '@countersign/server'
import { type Finding, notConfigured, ok } from './check.ts'

/** Shows the limit of each category in the form of its setting. */
export const examineRateLimits = ({ rateLimits }: Config): Finding => {
  if (rateLimits === 'off') return notConfigured('off: nobody is limited, and failed logins cause no delay')
  const limits = Object.entries(rateLimits).map(([category, limit]) => `${category} ${shownRateLimit(limit)}`)
  return ok(`${limits.join(', ')} (burst/per minute/minutes of the window)`)
}
