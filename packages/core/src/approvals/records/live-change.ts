import type { ConfirmationStatus } from '@countersign/contract'
import type { Bound } from '../../identity/records/bound.ts'
import type { Instant } from '../../shared/clock.ts'

/** A confirmation that was asked or settled, or an approval request that was asked, voted on or ended. */
export interface LiveApproval {
  readonly kind: 'confirmation' | 'approval_request'
  readonly id: string
  /** The user who is told: who is asked for the confirmation, or who asked for the approval request or was asked by it. */
  readonly userId: number
  /** The session that asked; `null` if no session is known. */
  readonly sessionId: string | null
  readonly tenant: string | null
  readonly boundTo: Bound
  /** `expired` is stored for a withdrawal only. A request is `redeemed` instead of `approved`. */
  readonly status: ConfirmationStatus | 'redeemed'
  readonly expiresAt: Instant
}

/** A committed change that concerns a user. `account`: sessions, trust, the lock or the permissions of the user. */
export type LiveChange = LiveApproval | { readonly kind: 'account'; readonly userId: number }

/**
 * Calls the listener several times a second with the changes since the last call, until the returned function is called. Each
 * change of any process is reported once, usually within 0.2 seconds of its commit. `unknown`: changes may have been missed.
 */
export type WatchChanges = (listener: (changes: readonly LiveChange[] | 'unknown') => void) => () => void
