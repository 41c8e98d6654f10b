import type { Instant } from '../../shared/clock.ts'
import type { AccountChange } from './push-provider.ts'

/** A notice to the host about a change that concerns a user. Names no device, because a thief can choose the name of a device. */
export interface Notice {
  readonly userId: number
  readonly email: string
  /**
   * A change that the user's devices are notified of too, or one that concerns an approval request of the user. `request_stopped`:
   * an approver stopped the request. `vote_unexpected`: an approver rejected the request, and did not expect it.
   */
  readonly change: AccountChange | 'request_stopped' | 'vote_unexpected'
  /** The approval request of `request_stopped` and `vote_unexpected`; absent in any other notice. */
  readonly approvalId?: string
  readonly occurredAt: Instant
  /**
   * False if the user has no trusted device that is not bound, besides the device that the change is about. Such a user gets no
   * push message, unless by a passkey, so the host informs the user in another way, for example by mail.
   */
  readonly hasTrustedDevice: boolean
}

/** Takes a notice, after the change is stored. A rejection is logged and fails no request. */
export type OnNotice = (notice: Notice) => void | Promise<void>
