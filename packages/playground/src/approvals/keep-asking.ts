import { CountersignError, type ErrorCode } from '@countersign/client-sdk'
import { tellFailure } from '../pane/attempt.ts'
import { type Notice, pane } from '../pane/pane.ts'
import { poll } from '../time/poll.ts'

const WAIT_AFTER_FAILURE = 5000

/** The codes of failures after which another attempt can succeed. */
const passing: readonly ErrorCode[] = ['NETWORK_ERROR', 'TIMEOUT', 'RATE_LIMITED', 'UNAVAILABLE']

/** Returns the wait after a failure in milliseconds; `undefined` if another attempt cannot help. */
const waitAfter = (error: unknown): number | undefined => {
  if (!(error instanceof CountersignError) || !passing.includes(error.code)) return undefined
  return Math.max(WAIT_AFTER_FAILURE, (error.retryAfter ?? 0) * 1000)
}

/**
 * Asks the service repeatedly. Stops when `ask` resolves with `false` or fails for good. The pane shows failures until they pass.
 *
 * @returns a function that stops the requests
 */
export const keepAsking = (ask: () => Promise<boolean>): (() => void) => {
  let shownNotice: Notice | undefined
  return poll(async () => {
    try {
      const goesOn = await ask()
      if (shownNotice !== undefined && pane.notice.peek() === shownNotice) pane.notice.value = undefined
      shownNotice = undefined
      return goesOn ? 0 : undefined
    } catch (error) {
      await tellFailure(error)
      shownNotice = pane.notice.peek()
      return waitAfter(error)
    }
  })
}
