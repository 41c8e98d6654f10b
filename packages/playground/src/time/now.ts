import { signal } from '@preact/signals'

/** Milliseconds since 1970, to the second: what counts down on the page follows it. */
export const now = signal(Date.now())

setInterval(() => {
  now.value = Date.now()
}, 1000)
