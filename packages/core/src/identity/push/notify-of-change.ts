import { hours, type Instant } from '../../shared/clock.ts'
import { randomUuid } from '../../shared/random.ts'
import type { BaseDeps } from '../base-deps.ts'
import type { Bound, BoundToTenants } from '../records/bound.ts'
import { isTrusted } from '../records/trust.ts'
import type { AccountChange } from './push-provider.ts'
import { type PushDeps, type PushRecipient, sendToDevices } from './send-to-devices.ts'

/** A notice to the host about a change that concerns a user. Names no device, because a thief can choose the name of a device. */
export interface Notice {
  readonly userId: number
  readonly email: string
  /**
   * A change that the user's devices are notified of too, or one of the user's approval requests: an approver stopped it, or
   * rejected it as not expected.
   */
  readonly change: AccountChange | 'request_stopped' | 'vote_unexpected'
  /** The approval request of `request_stopped` and `vote_unexpected`; absent in any other notice. */
  readonly approvalId?: string
  readonly occurredAt: Instant
  /** False if the user has no other trusted, unbound device. The host then informs the user in another way. */
  readonly hasTrustedDevice: boolean
}

/** Takes a notice, after the change is stored. A rejection is logged and fails no request. */
export type OnNotice = (notice: Notice) => void | Promise<void>

export type NotifyOfChangeDeps = PushDeps &
  Pick<BaseDeps, 'random' | 'background'> & {
    /** `undefined` if the host wants no notices. */
    readonly onNotice: OnNotice | undefined
  }

/** A user who reads the message on the next day can still react. */
const NOTICE_LIFETIME = hours(24)

interface NoticeOfChange {
  readonly userId: number
  readonly change: AccountChange
  /** The device as it was before the change. A removed device and a replaced push token are notified too. */
  readonly formerly?: PushRecipient & BoundToTenants
  /** The id of the device that the change is about, if that device needs no message. */
  readonly except?: string
}

type HostNotice = Pick<Notice, 'userId' | 'change' | 'approvalId'> & Pick<NoticeOfChange, 'except'>

/**
 * Notifies the user's trusted devices and the host of a change of the account, after the response. A bound device learns nothing
 * of the account. Call this function after the transaction of the change.
 */
export const notifyOfChange = (deps: NotifyOfChangeDeps, notice: NoticeOfChange): void => {
  const { userId, change, formerly, except } = notice
  const { clock, random, background } = deps
  const occurredAt = clock.now()
  const message = () => ({
    type: 'account.changed' as const,
    noticeId: `notice_${randomUuid(random)}`,
    change,
    occurredAt,
    expiresAt: occurredAt + NOTICE_LIFETIME,
  })
  const isFor = (tenants: Bound): boolean => tenants === null
  const alsoTo = formerly !== undefined && isFor(formerly.tenants) ? [formerly] : []
  background.run(async () => void (await sendToDevices(deps, { userId, isFor, message, logFields: { change }, alsoTo, except })))
  notifyHost(deps, notice)
}

/** Notifies only the host, after the response of the request. Call this function after the transaction of the change. */
export const notifyHost = (deps: NotifyOfChangeDeps, notice: HostNotice): void => {
  const occurredAt = deps.clock.now()
  if (deps.onNotice !== undefined) deps.background.run(() => tellHost(deps, notice, occurredAt))
}

const tellHost = async ({ storage, onNotice, logger }: NotifyOfChangeDeps, notice: HostNotice, occurredAt: Instant) => {
  const { userId, change, approvalId, except } = notice
  try {
    const [user, devices] = [await storage.users.byId(userId), await storage.devices.allOfUser(userId)]
    if (user === undefined) return
    const hasTrustedDevice = devices.some(
      (device) => device.id !== except && device.tenants === null && isTrusted(device, occurredAt),
    )
    const { email } = user
    await onNotice?.({ userId, email, change, ...(approvalId && { approvalId }), occurredAt, hasTrustedDevice })
  } catch (error) {
    logger.warn('notice_failed', { userId, change, reason: error instanceof Error ? error.name : 'unknown' })
  }
}
