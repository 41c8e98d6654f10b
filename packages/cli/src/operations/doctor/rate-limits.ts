import { type Config, shownRateLimit } from '@countersign/server'
import { type Finding, notConfigured, ok, warning } from './check.ts'

/** Shows the limit of each category in the form of its setting. */
export const examineRateLimits = ({ rateLimits, production }: Config): Finding => {
  const off = 'off: nobody is limited, and failed logins cause no delay'
  if (rateLimits === 'off') return production ? warning(off) : notConfigured(off)
  const limits = Object.entries(rateLimits).map(([category, limit]) => `${category} ${shownRateLimit(limit)}`)
  return ok(`${limits.join(', ')} (burst/per minute/minutes of the window)`)
}
