import { setTimeout } from 'node:timers/promises'
import {
  type Clock,
  errors,
  type Logger,
  type PushMessage,
  type PushProvider,
  PushTokenGone,
  systemClock,
} from '@countersign/core'
import pLimit from 'p-limit'
import pRetry, { AbortError } from 'p-retry'
import { failureCode } from '../../startup-error.ts'

/** The options of every provider that delivers over the network. */
export interface DeliveryOptions {
  readonly logger: Logger
  readonly clock?: Clock
  /** Milliseconds that an attempt may take. */
  readonly attemptTime?: number
  /** Milliseconds before the second attempt, doubled for each further one, and stretched by a random factor from 1 to 2. */
  readonly firstPause?: number
  /** The number of concurrent attempts. A delivery that waits for its next attempt does not count. */
  readonly concurrency?: number
  /** The number of deliveries that may wait, for their first or their next attempt. */
  readonly queue?: number
}

/** A push provider that can stop its retries. */
export interface StoppablePush extends PushProvider {
  /** Ends all retries. A running attempt is completed. A delivery that has not begun is dropped. */
  stop(): void
}

/** The meaning of a refusal for later attempts: this message may succeed later, this message never will, or no message will. */
export type Refused = 'now' | 'this' | 'every'

const MAX_ATTEMPTS = 6
const FAILURES_TO_UNHEALTHY = 3

export class PushRefused extends Error {
  override readonly name = 'PushRefused'
  readonly refused: Refused
  /** The reason for the log and the operator: `HTTP_503`, or the code of the provider. Never a text of the provider. */
  readonly code: string
  /** Milliseconds until the next attempt, as the push service asked. */
  readonly retryAfter: number

  constructor(code: string, refused: Refused, retryAfter = 0) {
    super(`The push service answered ${code}`)
    this.code = code
    this.refused = refused
    this.retryAfter = retryAfter
  }
}

/** The server is stopping, so the message is dropped. */
class PushStopped extends Error {
  override readonly name = 'PushStopped'
}

/** The message expired while it waited. */
class PushExpired extends Error {
  override readonly name = 'PushExpired'
}

/** Returns whether a later attempt may succeed: after a time-out, too many requests, or a failure of the receiver. */
const isRetryable = (status: number): boolean => status === 408 || status === 429 || status >= 500

/** Reads `Retry-After`, as seconds or as a date (RFC 9110, 10.2.3). Returns 0 for anything else. */
const retryAfterOf = (header: string | null | undefined, now: number): number => {
  if (typeof header !== 'string') return 0
  return /^\d+$/.test(header) ? Number(header) * 1000 : Math.max(0, Date.parse(header) - now) || 0
}

/** The receiver does not know its address, does not know us, or points elsewhere. No message to any device will arrive. */
const refusesEverything = (status: number): boolean => status < 400 || [401, 403, 404, 405].includes(status)

/** An answer of a push service over HTTP. */
export interface PushAnswer {
  readonly status: number
  readonly retryAfter: string | null | undefined
}

/** Returns the refusal that a status says, by the meaning that HTTP gives the status. */
export const refusalOf = ({ status, retryAfter }: PushAnswer, now: number): PushRefused => {
  const refused = isRetryable(status) ? 'now' : refusesEverything(status) ? 'every' : 'this'
  return new PushRefused(`HTTP_${status}`, refused, retryAfterOf(retryAfter, now))
}

/** Returns whether a failed delivery concerns one message or one device only, and says nothing about the others. */
const concernsOneDevice = (error: unknown): boolean =>
  error instanceof PushTokenGone || error instanceof PushExpired || (error instanceof PushRefused && error.refused === 'this')

const reasonOf = (error: Error): string => (error instanceof PushRefused ? error.code : failureCode(error))

const isFinal = (error: unknown): error is Error =>
  error instanceof PushTokenGone || (error instanceof PushRefused && error.refused !== 'now')

const subjectOf = (message: PushMessage) =>
  'noticeId' in message ? { noticeId: message.noticeId } : { confirmationId: message.confirmationId }

export const subjectIdOf = (message: PushMessage): string => ('noticeId' in message ? message.noticeId : message.confirmationId)

/** Makes one attempt to send a message, until the signal ends it. @throws PushRefused, PushTokenGone */
export type Attempt = (signal: AbortSignal) => Promise<void>

/**
 * Makes a push provider of attempts that `prepare` makes for a message: at most six, and none after the message has expired.
 * `Retry-After` lengthens the pause. `counts` says for which push tokens deliveries show how healthy the push service is.
 */
export const delivering = (
  prepare: (message: PushMessage) => Attempt,
  { logger, clock = systemClock, attemptTime = 5000, firstPause = 1000, concurrency = 8, queue = 1000 }: DeliveryOptions,
  counts: (pushToken: string) => boolean = () => true,
): StoppablePush => {
  const turns = pLimit(concurrency)
  const stopping = new AbortController()
  let failuresInARow = 0
  let underWay = 0

  const deliver = async (message: PushMessage): Promise<void> => {
    const { deviceId, expiresAt } = message
    const subject = subjectOf(message)
    const attempt = prepare(message)
    let failure: Error | undefined
    const takeTurn = () =>
      turns(async () => {
        stopping.signal.throwIfAborted()
        if (clock.now() >= expiresAt) throw new AbortError(failure ?? new PushExpired('The message has expired'))
        try {
          await attempt(AbortSignal.timeout(attemptTime))
        } catch (error) {
          throw isFinal(error) ? new AbortError(error) : error
        }
      })
    await pRetry(takeTurn, {
      retries: MAX_ATTEMPTS - 1,
      minTimeout: firstPause,
      randomize: true,
      signal: stopping.signal,
      shouldRetry: async ({ error, retryDelay }) => {
        const asked = error instanceof PushRefused ? error.retryAfter : 0
        if (clock.now() + asked + retryDelay >= expiresAt) return false
        // An abort is noticed by `pRetry` afterwards.
        await setTimeout(asked, undefined, { signal: stopping.signal }).catch(() => {})
        return true
      },
      onFailedAttempt: ({ error, attemptNumber }) => {
        failure = error
        logger.warn('push_attempt_failed', { ...subject, deviceId, attempt: attemptNumber, reason: reasonOf(error) })
      },
    })
  }

  return {
    send: async (message) => {
      if (underWay >= concurrency + queue)
        throw new errors.Unavailable('Too many push messages wait', { reason: 'push_messages_waiting' })
      underWay += 1
      try {
        await deliver(message)
        if (counts(message.pushToken)) failuresInARow = 0
      } catch (error) {
        if (!concernsOneDevice(error) && counts(message.pushToken)) failuresInARow += 1
        throw error
      } finally {
        underWay -= 1
      }
    },
    health: async () => (failuresInARow >= FAILURES_TO_UNHEALTHY ? 'unhealthy' : 'healthy'),
    stop: () => stopping.abort(new PushStopped('The server is stopping')),
  }
}
