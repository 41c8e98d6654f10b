import { hours } from '../../shared/clock.ts'
import { randomUuid } from '../../shared/random.ts'
import type { IdentityDeps } from '../deps.ts'
import type { AccountChange } from './push-provider.ts'
import { type PushDeps, type PushRecipient, sendToDevices } from './send-to-devices.ts'

export type NotifyOfChangeDeps = PushDeps & Pick<IdentityDeps, 'random' | 'background'>

/** A user who reads the message on the next day can still react. */
const NOTICE_LIFETIME = hours(24)

interface NoticeOfChange {
  readonly userId: number
  readonly change: AccountChange
  /** The device as it was before the change. A removed device and a replaced push token are notified too. */
  readonly formerly?: PushRecipient
  /** The id of the device that the change is about, where that device needs no message. */
  readonly except?: string
}

/**
 * Notifies the user's trusted devices of a change of the account, after the response of the request. Call this function after the
 * transaction of the change.
 */
export const notifyOfChange = (deps: NotifyOfChangeDeps, { userId, change, formerly, except }: NoticeOfChange): void => {
  const { clock, random, background } = deps
  const occurredAt = clock.now()
  const message = () => ({
    type: 'account.changed' as const,
    noticeId: `notice_${randomUuid(random)}`,
    change,
    occurredAt,
    expiresAt: occurredAt + NOTICE_LIFETIME,
  })
  const alsoTo = formerly === undefined ? [] : [formerly]
  background.run(() => sendToDevices(deps, { userId, message, logFields: { change }, alsoTo, except }))
}
