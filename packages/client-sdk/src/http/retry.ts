import { CountersignError } from '../shared/errors/countersign-error.ts'
import { isPassingStatus } from '../shared/errors/refusal.ts'
import { pause } from '../shared/time/deadline.ts'

export interface RetryOptions {
  /** The number of retries of a GET. */
  readonly retries: number
  /**
   * The longest wait in milliseconds. If the service asks for a longer wait, the call fails immediately with the wait in the error.
   */
  readonly longestWait: number
}

/**
 * Milliseconds before the first retry, doubled for each further retry. Up to half of the wait is random, so that clients do not
 * return together.
 */
const FIRST_WAIT = 400

/** Returns whether the error may pass: no response, too many requests, or the service is unavailable. */
export const isPassing = (error: unknown): error is CountersignError =>
  error instanceof CountersignError && (error.code === 'NETWORK_ERROR' || isPassingStatus(error.status))

/** Returns the wait in milliseconds before the next attempt: the wait that the service asks for, else a growing one. */
const waitAfter = ({ retryAfter }: CountersignError, attempt: number): number =>
  retryAfter === undefined ? FIRST_WAIT * 2 ** attempt * (1 - Math.random() / 2) : retryAfter * 1000

/** Repeats a request after errors that may pass. @throws the error of the last attempt */
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
      // Written as a negation, so that NaN causes no retry.
      if (!(wait <= longestWait)) throw error
      await pause(wait, signal)
    }
  }
}
