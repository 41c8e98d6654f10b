import { CountersignError } from '../shared/errors/countersign-error.ts'
import { isPassingStatus } from '../shared/errors/refusal.ts'
import { pause } from '../shared/time/deadline.ts'

export interface RetryOptions {
  /** How often a GET is sent again. */
  readonly retries: number
  /** Milliseconds. Where the service asks for a longer wait, the call fails at once and tells of it. */
  readonly longestWait: number
}

/** Milliseconds; doubled with each try, and up to half of it left to chance, so that clients do not come back as one. */
const FIRST_WAIT = 400

/** No answer, too many requests, or out of service: what may be otherwise in a moment. */
export const isPassing = (error: unknown): error is CountersignError =>
  error instanceof CountersignError && (error.code === 'NETWORK_ERROR' || isPassingStatus(error.status))

/** How long to wait before the next try: as the service says, else longer each time. */
const waitAfter = ({ retryAfter }: CountersignError, attempt: number): number =>
  retryAfter === undefined ? FIRST_WAIT * 2 ** attempt * (1 - Math.random() / 2) : retryAfter * 1000

/** Sends again what may be sent again, where it failed for what passes. @throws what the last try failed with */
export const retrying = async <T>(
  { retries, longestWait }: RetryOptions,
  signal: AbortSignal,
  send: () => Promise<T>,
): Promise<T> => {
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await send()
    } catch (error) {
      const mayPass = !signal.aborted && attempt < retries && isPassing(error)
      const wait = mayPass ? waitAfter(error, attempt) : Number.NaN
      // Said so that what is no number of milliseconds sends nothing again.
      if (!(wait <= longestWait)) throw error
      await pause(wait, signal)
    }
  }
}
