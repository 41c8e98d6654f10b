import { seconds } from '../../shared/clock.ts'
import { randomUuid } from '../../shared/random.ts'
import { isTrusted } from '../records/trust.ts'
import { type ByEmail, requireUser } from '../user-model/require-user.ts'
import type { NotifyOfChangeDeps } from './notify-of-change.ts'
import { PushTokenGone } from './push-provider.ts'
import { sendToDevices, subscribersOf } from './send-to-devices.ts'

/** The outcome of a test message to a device, or to a passkey with a push token. */
export interface PushTestResult {
  /** The id of the device; for a passkey, the id of its push token. */
  readonly deviceId: string
  /** The name of the device or passkey. */
  readonly deviceName: string
  /** The provider that the push token belongs to; `null` if no message was sent, or the provider has no name. */
  readonly provider: string | null
  /** `gone`: the push service no longer knows the token, which was removed. `not_sent`: `reason` says why. */
  readonly outcome: 'delivered' | 'gone' | 'failed' | 'not_sent'
  /** The answer of the provider, such as `HTTP_403` or `BadTopic`, or why no message was sent; `null` if it was delivered. */
  readonly reason: string | null
}

/** A message that fails is sent again within this time. */
const LIFETIME = seconds(15)

/**
 * Sends a test message to each push token of a user's trusted devices and passkeys, and says what each provider answered. @throws
 * UserNotFound
 * @example const results = await countersign.devices.testPush({ email: 'ada@example.com' })
 */
export async function testPush(deps: NotifyOfChangeDeps, { email }: ByEmail): Promise<readonly PushTestResult[]> {
  const { clock, random, push } = deps
  const user = await requireUser(deps, email)
  const now = clock.now()
  const noticeId = `notice_${randomUuid(random)}`
  const answers = new Map<string, Pick<PushTestResult, 'provider' | 'outcome' | 'reason'>>()
  const subscribers = await subscribersOf(deps, user.id)
  await sendToDevices(deps, {
    userId: user.id,
    isFor: () => true,
    message: () => ({ type: 'push.test', noticeId, expiresAt: now + LIFETIME }),
    logFields: { noticeId },
    onAnswer: ({ deviceId, pushToken }, error) => {
      const provider = push.providerOf?.(pushToken) ?? null
      const outcome = error === undefined ? 'delivered' : error instanceof PushTokenGone ? 'gone' : 'failed'
      answers.set(deviceId, { provider, outcome, reason: error === undefined ? null : reasonOf(error) })
    },
  })
  return subscribers.map((one) => {
    const { id: deviceId, name: deviceName, pushToken } = one
    const missing = pushToken === null ? 'no_push_token' : isTrusted(one, now) ? 'same_token_as_another' : 'on_probation'
    const answer = answers.get(deviceId) ?? { provider: null, outcome: 'not_sent' as const, reason: missing }
    return { deviceId, deviceName, ...answer }
  })
}

const reasonOf = (error: unknown): string => {
  if (!(error instanceof Error)) return 'unknown'
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name
}
