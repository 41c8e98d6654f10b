import { type PushMessage, PushTokenGone, realTime, systemClock, toIsoTimestamp } from '@countersign/core'
import { Webhook } from 'standardwebhooks'
import { type DeliveryOptions, delivering, refusalOf, type StoppablePush, subjectIdOf } from './deliver.ts'

export interface WebhookPushOptions extends DeliveryOptions {
  readonly url: string
  /** `whsec_…` */
  readonly secret: string
}

/** Returns the members of `data` that differ between the types of messages. */
const contentOf = (message: PushMessage) => {
  switch (message.type) {
    case 'confirmation.requested':
      return { confirmationId: message.confirmationId, actionType: message.actionType, count: message.count }
    case 'confirmation.settled':
      return { confirmationId: message.confirmationId }
    case 'push.test':
      return { noticeId: message.noticeId }
    case 'account.changed':
      return { noticeId: message.noticeId, change: message.change, occurredAt: toIsoTimestamp(message.occurredAt) }
  }
}

const bodyOf = (message: PushMessage, timestamp: string): string => {
  const { type, deviceId, pushToken, language, expiresAt } = message
  const data = { ...contentOf(message), deviceId, pushToken, language, expiresAt: toIsoTimestamp(expiresAt) }
  return JSON.stringify({ type, timestamp, data })
}

/** Creates a push provider that posts messages to a webhook, signed by Standard Webhooks. All attempts have one `webhook-id`. */
export const webhookPush = (options: WebhookPushOptions): StoppablePush => {
  const { url, clock = systemClock } = options
  const webhook = new Webhook(options.secret)
  const now = () => realTime(clock, clock.now())
  return delivering((message) => {
    const settled = message.type === 'confirmation.settled' ? '_settled' : ''
    const id = `${subjectIdOf(message)}_${message.deviceId}${settled}`
    const body = bodyOf(message, toIsoTimestamp(now()))
    return async (signal) => {
      // The receiver compares the time with its own clock.
      const sentAt = new Date(now())
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
        signal,
      })
      await response.body?.cancel()
      if (response.ok) return
      if (response.status === 410) throw new PushTokenGone()
      throw refusalOf({ status: response.status, retryAfter: response.headers.get('retry-after') }, sentAt.getTime())
    }
  }, options)
}
