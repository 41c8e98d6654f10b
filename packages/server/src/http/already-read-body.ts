import { type Logger, silentLogger } from '@countersign/core'

/**
 * Makes a function that logs one warning for the developer of a host whose body parser runs before Countersign. The client only
 * learns that the body did not arrive.
 */
export const warnOfReadBodies = ({ logger = silentLogger }: { readonly logger?: Logger | undefined }): (() => void) => {
  let isSettled = false
  return () => {
    if (isSettled) return
    isSettled = true
    const hint = 'a body parser of the host read the body first: place Countersign before every body parser'
    logger.warn('body_already_read', { hint })
  }
}
