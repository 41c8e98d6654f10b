import { CountersignError, type ErrorCode } from '@countersign/client-sdk'
import { tellFailure } from '../pane/attempt.ts'
import type { Notice, Pane } from '../pane/pane.ts'
import { onKnock } from '../shared/knock.ts'
import { type Polling, poll } from '../time/poll.ts'

const WAIT_AFTER_FAILURE = 5000

/** The codes of failures that may be over in a moment. */
const passing: readonly ErrorCode[] = ['NETWORK_ERROR', 'TIMEOUT', 'RATE_LIMITED', 'UNAVAILABLE']

/** How long to wait after a failure; `undefined` where asking again is of no use. */
const waitAfter = (error: unknown): number | undefined => {
  if (!(error instanceof CountersignError) || !passing.includes(error.code)) return undefined
  return Math.max(WAIT_AFTER_FAILURE, (error.retryAfter ?? 0) * 1000)
}

/**
 * Asks the service again and again, at once after a knock, until `ask` resolves with `false` or fails for good. Failures
 * are told in the pane, until they are over.
 *
 * @returns what ends the asking
 */
export const keepAsking = (pane: Pane, ask: () => Promise<boolean>): (() => void) => {
  let told: Notice | undefined
  const polling: Polling = poll(async () => {
    try {
      const goesOn = await ask()
      if (told !== undefined && pane.notice.peek() === told) pane.notice.value = undefined
      told = undefined
      return goesOn ? 0 : undefined
    } catch (error) {
      await tellFailure(pane, error)
      told = pane.notice.peek()
      return waitAfter(error)
    }
  })
  const unlisten = onKnock(polling.hurry)
  return () => {
    unlisten()
    polling.stop()
  }
}
