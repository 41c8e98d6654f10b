import { signal } from '@preact/signals'

/** Milliseconds since 1970, updated every second. The countdowns of the page follow this signal. */
export const now = signal(Date.now())

setInterval(() => {
  now.value = Date.now()
}, 1000)

const format = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' })

/** Shows an ISO 8601 timestamp in the reader's language. */
export const showDate = (timestamp: string): string => format.format(new Date(timestamp))
