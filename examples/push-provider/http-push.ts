import {
  type AccountChange,
  type ConfirmationRequested,
  type PushMessage,
  type PushProvider,
  PushTokenGone,
} from '@countersign/core'

export interface HttpPushOptions {
  /** The address that receives the messages. */
  readonly url: string
  /** The bearer token. */
  readonly key: string
  /** The time limit for a delivery in milliseconds. */
  readonly timeout?: number
}

/** The text on a locked screen. It never contains the content of the confirmation. */
const titles: Readonly<Record<ConfirmationRequested['actionType'] | AccountChange, string>> = {
  payment_approval: 'A payment waits for your approval',
  document_approval: 'A document waits for your approval',
  purchase_order: 'A purchase order waits for your approval',
  user_access: 'A change of access waits for your approval',
  settings_change: 'A change of settings waits for your approval',
  password_change: 'A change of your password waits for your approval',
  device_register: 'A new device waits for your approval',
  sensitive_data_access: 'Access to sensitive data waits for your approval',
  device_registered: 'A device was added to your account',
  device_removed: 'A device was removed from your account',
  push_token_changed: 'Messages of a device now go to another address',
  passkey_registered: 'A passkey was added to your account',
  passkey_removed: 'A passkey was removed from your account',
  password_changed: 'Your password was changed',
  trust_changed: 'A device or passkey is now trusted',
  session_opened: 'You are signed in from a new place',
}

const titleOf = ({ actionType, count }: ConfirmationRequested) =>
  count > 1 ? `${count} requests wait for your approval` : titles[actionType]

const contentOf = (message: PushMessage) => {
  if (message.type === 'push.test') return { title: 'A test message', data: { noticeId: message.noticeId } }
  if (message.type === 'account.changed') return { title: titles[message.change], data: { noticeId: message.noticeId } }
  const title = message.type === 'confirmation.requested' ? titleOf(message) : 'The request is settled'
  return { title, data: { confirmationId: message.confirmationId } }
}

/**
 * Sends messages to an HTTP endpoint, with one attempt each. A user who misses a message still finds the pending confirmation
 * in the app.
 */
export const httpPush = ({ url, key, timeout = 5000 }: HttpPushOptions): PushProvider => {
  let last: 'healthy' | 'unhealthy' = 'healthy'

  const post = async (message: PushMessage): Promise<void> => {
    const answer = await fetch(url, {
      method: 'POST',
      headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ to: message.pushToken, ...contentOf(message), expiresAt: message.expiresAt }),
      // A redirect would send the key to another address.
      redirect: 'error',
      signal: AbortSignal.timeout(timeout),
    })
    await answer.body?.cancel()
    if (answer.status === 410) throw new PushTokenGone()
    if (!answer.ok) throw new Error(`the push endpoint answered with ${answer.status}`)
  }

  return {
    // If `send` rejects, Countersign logs the name of the error. The response to the original request was sent before.
    send: async (message) => {
      try {
        await post(message)
        last = 'healthy'
      } catch (error) {
        // A token that is gone is removed. The other devices of the user still get the message.
        if (!(error instanceof PushTokenGone)) last = 'unhealthy'
        throw error
      }
    },
    health: async () => last,
  }
}
