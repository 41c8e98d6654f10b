import { setTimeout } from 'node:timers/promises'
import {
  type Clock,
  errors,
  type Logger,
  type PushMessage,
  type PushProvider,
  PushTokenGone,
  realTime,
  systemClock,
  toIsoTimestamp,
} from '@countersign/core'
import pLimit from 'p-limit'
import pRetry, { AbortError } from 'p-retry'
import { Webhook } from 'standardwebhooks'
import { failureCode } from '../../startup-error.ts'

export interface WebhookPushOptions {
  readonly url: string
  /** `whsec_…` */
  readonly secret: string
  readonly logger: Logger
  readonly clock?: Clock
  /** Milliseconds that an attempt may take. */
  readonly attemptTime?: number
  /**
   * Milliseconds before the second attempt. Each further pause is twice as long. A random factor from 1 to 2 stretches each
   * pause.
   */
  readonly firstPause?: number
  /** The number of concurrent attempts. A delivery that waits for its next attempt holds no place among them. */
  readonly concurrency?: number
  /** The number of deliveries that may wait, for their first or their next attempt. */
  readonly queue?: number
}

/** A push provider that sends messages to a webhook. */
export interface WebhookPush extends PushProvider {
  /** Ends all retries. A running attempt is completed. A delivery that has not begun is dropped. */
  stop(): void
}

const MAX_ATTEMPTS = 6
const FAILURES_TO_UNHEALTHY = 3

/** The receiver answered with a status other than 2xx. */
class WebhookRefused extends Error {
  override readonly name = 'WebhookRefused'
  readonly status: number
  readonly code: string
  /** Milliseconds until the next attempt, as the receiver asked in `Retry-After`. */
  readonly retryAfter: number

  constructor(status: number, retryAfter: number) {
    super(`The webhook answered ${status}`)
    this.status = status
    this.retryAfter = retryAfter
    this.code = `HTTP_${status}`
  }
}

/** The server is stopping, so the message is dropped. */
class WebhookStopped extends Error {
  override readonly name = 'WebhookStopped'
}

/** The message expired while it waited. */
class PushExpired extends Error {
  override readonly name = 'PushExpired'
}

/** Returns whether a later attempt may succeed: after a time-out, too many requests, or a failure of the receiver. */
const isRetryable = (status: number): boolean => status === 408 || status === 429 || status >= 500

/** Reads `Retry-After`, as seconds or as a date (RFC 9110, 10.2.3). Returns 0 for anything else. */
const retryAfterOf = (header: string | null, now: number): number => {
  if (header === null) return 0
  return /^\d+$/.test(header) ? Number(header) * 1000 : Math.max(0, Date.parse(header) - now) || 0
}

/** The receiver does not know its address, does not know us, or points elsewhere. No message to any device will arrive. */
const refusesEverything = (status: number): boolean => status < 400 || [401, 403, 404, 405].includes(status)

/** Returns whether a failed delivery concerns one message or one device only, and says nothing about the others. */
const concernsOneDevice = (error: unknown): boolean =>
  error instanceof PushTokenGone ||
  error instanceof PushExpired ||
  (error instanceof WebhookRefused && !isRetryable(error.status) && !refusesEverything(error.status))

/** Returns the members of `data` that differ between the types of messages. */
const contentOf = (message: PushMessage) =>
  message.type === 'confirmation.requested'
    ? { confirmationId: message.confirmationId, actionType: message.actionType, count: message.count }
    : { noticeId: message.noticeId, change: message.change, occurredAt: toIsoTimestamp(message.occurredAt) }

const bodyOf = (message: PushMessage, timestamp: string): string => {
  const { type, deviceId, pushToken, expiresAt } = message
  const data = { ...contentOf(message), deviceId, pushToken, expiresAt: toIsoTimestamp(expiresAt) }
  return JSON.stringify({ type, timestamp, data })
}

/** Returns the id of the message in the log. */
const subjectOf = (message: PushMessage) =>
  message.type === 'confirmation.requested' ? { confirmationId: message.confirmationId } : { noticeId: message.noticeId }

/**
 * Creates a push provider that posts messages to a webhook, signed according to Standard Webhooks. A delivery that may succeed
 * later is tried again: at most six attempts in all, and none after the message has expired. All attempts have the same
 * `webhook-id`, so that the receiver can recognise a repetition. `Retry-After` of the receiver lengthens the pause.
 */
export const webhookPush = (options: WebhookPushOptions): WebhookPush => {
  const { url, logger, clock = systemClock, attemptTime = 5000, firstPause = 1000, concurrency = 8, queue = 1000 } = options
  const webhook = new Webhook(options.secret)
  const turns = pLimit(concurrency)
  const stopping = new AbortController()
  let failuresInARow = 0
  let underWay = 0

  const attempt = async (id: string, body: string): Promise<void> => {
    // The receiver compares the time with its own clock.
    const sentAt = new Date(realTime(clock, clock.now()))
    const response = await fetch(url, {
      method: 'POST',
      body,
      headers: {
        'content-type': 'application/json',
        'webhook-id': id,
        'webhook-timestamp': String(Math.floor(sentAt.getTime() / 1000)),
        'webhook-signature': webhook.sign(id, sentAt, body),
      },
      // The operator chooses the receiver of messages. A redirect must not change the receiver.
      redirect: 'manual',
      signal: AbortSignal.timeout(attemptTime),
    })
    await response.body?.cancel()
    if (response.ok) return
    if (response.status === 410) throw new AbortError(new PushTokenGone())
    const refused = new WebhookRefused(response.status, retryAfterOf(response.headers.get('retry-after'), sentAt.getTime()))
    throw isRetryable(response.status) ? refused : new AbortError(refused)
  }

  const deliver = async (message: PushMessage): Promise<void> => {
    const { deviceId, expiresAt } = message
    const subject = subjectOf(message)
    const id = `${subject.confirmationId ?? subject.noticeId}_${deviceId}`
    const body = bodyOf(message, toIsoTimestamp(realTime(clock, clock.now())))
    let failure: Error | undefined
    const takeTurn = () =>
      turns(async () => {
        stopping.signal.throwIfAborted()
        if (clock.now() >= expiresAt) throw new AbortError(failure ?? new PushExpired('The message has expired'))
        await attempt(id, body)
      })
    await pRetry(takeTurn, {
      retries: MAX_ATTEMPTS - 1,
      minTimeout: firstPause,
      randomize: true,
      signal: stopping.signal,
      shouldRetry: async ({ error, retryDelay }) => {
        const asked = error instanceof WebhookRefused ? error.retryAfter : 0
        if (clock.now() + asked + retryDelay >= expiresAt) return false
        // An abort is noticed by `pRetry` afterwards.
        await setTimeout(asked, undefined, { signal: stopping.signal }).catch(() => {})
        return true
      },
      onFailedAttempt: ({ error, attemptNumber }) => {
        failure = error
        logger.warn('push_attempt_failed', { ...subject, deviceId, attempt: attemptNumber, reason: failureCode(error) })
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
        failuresInARow = 0
      } catch (error) {
        if (!concernsOneDevice(error)) failuresInARow += 1
        throw error
      } finally {
        underWay -= 1
      }
    },
    health: async () => (failuresInARow >= FAILURES_TO_UNHEALTHY ? 'unhealthy' : 'healthy'),
    stop: () => stopping.abort(new WebhookStopped('The server is stopping')),
  }
}
