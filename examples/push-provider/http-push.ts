import type { PushMessage, PushProvider } from '@countersign/core'

export interface HttpPushOptions {
  /** Where messages are posted to. */
  readonly url: string
  /** Sent as a bearer token. */
  readonly key: string
  /** Milliseconds that a delivery may take. */
  readonly timeout?: number
}

/** What is shown on a locked screen: what waits, never what it is about. */
const titles: Readonly<Record<PushMessage['actionType'], string>> = {
  payment_approval: 'A payment waits for your approval',
  document_approval: 'A document waits for your approval',
  purchase_order: 'A purchase order waits for your approval',
  user_access: 'A change of access waits for your approval',
  settings_change: 'A change of settings waits for your approval',
  password_change: 'A change of your password waits for your approval',
  device_register: 'A new device waits for your approval',
  sensitive_data_access: 'Access to sensitive data waits for your approval',
}

/** Carries messages to an HTTP endpoint, one attempt each: who misses one still finds what is pending in the app. */
export const httpPush = ({ url, key, timeout = 5000 }: HttpPushOptions): PushProvider => {
  let last: 'healthy' | 'unhealthy' = 'healthy'

  const post = async ({ pushToken, actionType, confirmationId, expiresAt }: PushMessage): Promise<void> => {
    const answer = await fetch(url, {
      method: 'POST',
      headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ to: pushToken, title: titles[actionType], data: { confirmationId }, expiresAt }),
      // The key goes to this address and to no other.
      redirect: 'error',
      signal: AbortSignal.timeout(timeout),
    })
    await answer.body?.cancel()
    if (!answer.ok) throw new Error(`the push endpoint answered with ${answer.status}`)
  }

  return {
    // What it rejects with is logged by its name. The answer to the request that asked went out before.
    send: async (message) => {
      try {
        await post(message)
        last = 'healthy'
      } catch (error) {
        last = 'unhealthy'
        throw error
      }
    },
    health: async () => last,
  }
}
