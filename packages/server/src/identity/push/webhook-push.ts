import {
  type Clock,
  type Logger,
  type PushMessage,
  type PushProvider,
  systemClock,
  toIsoTimestamp,
  Unavailable,
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
  /** Milliseconds an attempt may take. */
  readonly attemptTime?: number
  /** Milliseconds before the second attempt; twice as long before each further one, and up to twice that by chance. */
  readonly firstPause?: number
  /** Deliveries at once. */
  readonly concurrency?: number
  /** Deliveries that may wait for their turn. */
  readonly queue?: number
}

/** Push messages by a webhook, which can be told to come to an end. */
export interface WebhookPush extends PushProvider {
  /** From now on nothing is tried again: attempts under way come to their end, and what has not begun is given up. */
  stop(): void
}

const MOST_ATTEMPTS = 6
const FAILURES_TO_UNHEALTHY = 3

/** The other side answered, and did not accept. */
class WebhookRefused extends Error {
  override readonly name = 'WebhookRefused'
  readonly code: string

  constructor(status: number) {
    super(`The webhook answered ${status}`)
    this.code = `HTTP_${status}`
  }
}

class WebhookStopped extends Error {
  override readonly name = 'WebhookStopped'
}

/** The message expired while it waited for its turn. */
class PushExpired extends Error {
  override readonly name = 'PushExpired'
}

/** What may be over soon: a time-out, too many requests, a failing server. Anything else would be answered the same again. */
const isWorthAnotherTry = (status: number): boolean => status === 408 || status === 429 || status >= 500

/** Returns the members of `data` that differ between the types of messages. */
const contentOf = (message: PushMessage) =>
  message.type === 'confirmation.requested'
    ? { confirmationId: message.confirmationId, actionType: message.actionType }
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
 * Hands push messages to a webhook, signed as Standard Webhooks says. A delivery that fails for a reason that may pass
 * is tried again, at most six times in all and never past the message's expiry; its `webhook-id` stays the same, so
 * the receiver can tell a repetition.
 */
export const webhookPush = (options: WebhookPushOptions): WebhookPush => {
  const { url, logger, clock = systemClock, attemptTime = 5000, firstPause = 1000, concurrency = 8, queue = 1000 } = options
  const webhook = new Webhook(options.secret)
  const turns = pLimit(concurrency)
  const stopping = new AbortController()
  let failuresInARow = 0

  const attempt = async (id: string, body: string): Promise<void> => {
    const sentAt = new Date(clock.now())
    const response = await fetch(url, {
      method: 'POST',
      body,
      headers: {
        'content-type': 'application/json',
        'webhook-id': id,
        'webhook-timestamp': String(Math.floor(sentAt.getTime() / 1000)),
        'webhook-signature': webhook.sign(id, sentAt, body),
      },
      // Where the message goes is the operator's choice, not that of whoever answers there.
      redirect: 'manual',
      signal: AbortSignal.timeout(attemptTime),
    })
    await response.body?.cancel()
    if (response.ok) return
    const refused = new WebhookRefused(response.status)
    throw isWorthAnotherTry(response.status) ? refused : new AbortError(refused)
  }

  const deliver = async (message: PushMessage): Promise<void> => {
    const { deviceId, expiresAt } = message
    const subject = subjectOf(message)
    const id = `${subject.confirmationId ?? subject.noticeId}_${deviceId}`
    const body = bodyOf(message, toIsoTimestamp(clock.now()))
    const isTimeFor = (wait: number) => clock.now() + wait < expiresAt
    await pRetry(() => attempt(id, body), {
      retries: MOST_ATTEMPTS - 1,
      minTimeout: firstPause,
      randomize: true,
      signal: stopping.signal,
      shouldRetry: ({ retryDelay }) => isTimeFor(retryDelay),
      onFailedAttempt: ({ error, attemptNumber }) =>
        logger.warn('push_attempt_failed', { ...subject, deviceId, attempt: attemptNumber, reason: failureCode(error) }),
    })
  }

  return {
    send: async (message) => {
      if (turns.pendingCount >= queue) throw new Unavailable('Too many push messages wait')
      await turns(async () => {
        if (clock.now() >= message.expiresAt) throw new PushExpired('The message has expired')
        try {
          await deliver(message)
          failuresInARow = 0
        } catch (error) {
          failuresInARow += 1
          throw error
        }
      })
    },
    health: async () => (failuresInARow >= FAILURES_TO_UNHEALTHY ? 'unhealthy' : 'healthy'),
    stop: () => stopping.abort(new WebhookStopped('The server is stopping')),
  }
}
