import type { Instant } from '../../shared/clock.ts'
import type { SealedField } from '../../shared/crypto/field-encryption.ts'
import type { ClearNonce, Confirmation, SettledStatus } from './confirmation.ts'

/** How a user's confirmation is to be settled. */
export interface Settlement {
  readonly id: string
  readonly userId: number
  readonly outcome: SettledStatus
  /** The approving device. */
  readonly deviceId: string | null
  readonly rejectReason: SealedField | null
  readonly now: Instant
}

/** By a device of the user, in a session that it opened. */
export interface Approval {
  readonly id: string
  readonly userId: number
  readonly deviceId: string
  readonly sessionId: string
  readonly now: Instant
}

/** Confirmations, each of which is settled once, however many try at the same time. */
export interface ConfirmationStore {
  /**
   * Adds a pending confirmation; `false` where the user has `pendingLimit` unexpired pending ones already.
   * Whatever happens at once, the limit holds.
   */
  initiate(confirmation: Confirmation, pendingLimit: number): Promise<boolean>
  ofUser(userId: number, id: string): Promise<Confirmation | undefined>
  /** Pending and unexpired, newest first. */
  pendingOfUser(userId: number, now: Instant): Promise<readonly Confirmation[]>
  /**
   * Approves the user's confirmation, where it is pending and `now` before its expiry, and notes that the device was used,
   * where that is active; all as one. Of any number of approvals and rejections at once, exactly one is `approved`; and a
   * device approves nothing once its removal is done. `device_removed` where the user has no such device. `session_ended`
   * where the session is not live, or is somebody else's (see `SessionStore.status`), whatever else is wrong: the session is
   * held until the approval is stored, so no approval slips past a logout or a disabling.
   */
  approve(approval: Approval): Promise<'approved' | 'device_removed' | 'session_ended' | 'not_pending'>
  /**
   * Settles the user's confirmation where it is pending and `now` is before its expiry. One atomic statement: of
   * any number of approvals and rejections at once, exactly one gets `true`.
   */
  settle(settlement: Settlement): Promise<boolean>
  /** Up to `limit` confirmations, of any user and status, whose nonce an earlier version stored in clear. */
  withClearNonce(limit: number): Promise<readonly { readonly id: string; readonly nonce: ClearNonce }[]>
  /**
   * Replaces the nonces of these confirmations, where they are still in clear, and returns how many it replaced. All of it
   * is one transaction; each replacement is one conditional statement, so that a sealed nonce is never replaced.
   */
  sealNonces(sealed: readonly { readonly id: string; readonly nonce: SealedField }[]): Promise<number>
  /** Counts a wrong signature against a pending confirmation and, at `limit` of them, rejects it. One atomic statement. */
  countWrongSignature(userId: number, id: string, limit: number, now: Instant): Promise<void>
}
