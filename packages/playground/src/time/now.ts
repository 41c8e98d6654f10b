import { signal } from '@preact/signals'

/** Milliseconds since 1970, updated every second. The countdowns of the page follow this signal. */
export const now = signal(Date.now())

setInterval(() => {
  now.value = Date.now()
}, 1000)
