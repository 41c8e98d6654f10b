import { perMinute, type RateLimit } from '@countersign/core'
import type { Form } from './forms.ts'

const MINUTE = 60_000
const MOST = { burst: 100_000, perMinute: 60_000, windowMinutes: 1440 }
/** The most requests of a window. The time of each is stored until it leaves the window. */
const MOST_IN_WINDOW = 100_000

const takes = `burst/perMinute/windowMinutes such as 20/10/60, with a burst of at most ${MOST.burst}, at most ${MOST.perMinute} requests a minute, a window of at most ${MOST.windowMinutes} minutes, and at most ${MOST_IN_WINDOW} requests in a window`

const read = (text: string): RateLimit | undefined => {
  const [burst = 0, count = 0, windowMinutes = 0] = /^[1-9]\d{0,5}(?:\/[1-9]\d{0,4}){2}$/.test(text)
    ? text.split('/').map(Number)
    : []
  const isTooMuch =
    burst > MOST.burst || count > MOST.perMinute || windowMinutes > MOST.windowMinutes || count * windowMinutes > MOST_IN_WINDOW
  return burst === 0 || isTooMuch ? undefined : perMinute(count, windowMinutes * MINUTE, burst)
}

/** Writes a rate limit as `burst/perMinute/windowMinutes`. */
export const shownRateLimit = ({ burst, windowMax, windowMs }: RateLimit): string => {
  const windowMinutes = windowMs / MINUTE
  return `${burst}/${windowMax / windowMinutes}/${windowMinutes}`
}

/** A rate limit as `burst/perMinute/windowMinutes`. */
export const rateLimit: Form<RateLimit> = { takes, read, show: shownRateLimit }
