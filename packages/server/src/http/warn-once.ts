import type { Logger } from '@countersign/core'

/** Makes a function that logs a warning with a hint at its first call. */
export const warnOnce = (logger: Logger, event: string, hint: string): (() => void) => {
  let isLogged = false
  return () => {
    if (isLogged) return
    isLogged = true
    logger.warn(event, { hint })
  }
}
