import type { ConfirmationStatus } from '@countersign/contract'
import type { SettledConfirmation } from '../../identity/user-model/account-endings.ts'
import type { Instant } from '../../shared/clock.ts'
import type { SealedField } from '../../shared/crypto/field-encryption.ts'
import type { Confirmation } from './confirmation.ts'

/** A change of a pending confirmation to its final status. */
export interface Settlement extends Pick<Confirmation, 'id' | 'userId' | 'deviceId' | 'rejectReason'> {
  readonly outcome: Exclude<ConfirmationStatus, 'pending' | 'expired'>
  readonly now: Instant
  /** The approval request of the confirmation, if the rejection ends the request too. */
  readonly requestId?: string | undefined
}

/** The withdrawal of a confirmation. */
export interface ConfirmationWithdrawal extends Pick<Confirmation, 'userId' | 'initiatedBy'> {
  readonly confirmationId: string
  readonly now: Instant
}

/** The withdrawal of an approval request. */
export interface RequestWithdrawal {
  readonly requestId: string
  /** The number of approved confirmations of the request, as the caller has just read it. */
  readonly approved: number
  readonly now: Instant
}

/** The stop of an approval request by a user who was asked. */
export interface RequestStop {
  readonly requestId: string
  readonly userId: number
  readonly reason: SealedField
  readonly now: Instant
}

interface Use {
  /** The consumer, from `consumerName`. */
  readonly consumedBy: string
  /** The idempotency key, if the consumer gave one. */
  readonly consumedKey: string | null
  readonly now: Instant
}

/** The use of a confirmation. */
export interface ConfirmationUse extends Use {
  readonly confirmationId: string
  readonly userId: number
  /** The receipt for a repeated use, if the consumer may repeat it. */
  readonly receipt: SealedField | null
  /** The earliest approval that counts. */
  readonly approvedSince: Instant
}

/** The use of an approval request. */
export interface RequestUse extends Use {
  readonly requestId: string
  /** The approvals to use: as many as the request needs, each once. */
  readonly confirmationIds: readonly string[]
  /** The receipts for a repeated use, by confirmation id. Empty if the use cannot be repeated. */
  readonly receipts: ReadonlyMap<string, SealedField>
}

/** Ends approvals: confirmations, and requests with the confirmations of their approvers. Each ends once, whoever tries. */
export interface ApprovalStore {
  /**
   * Settles the user's confirmation if it is pending and unexpired. With `requestId`, also rejects the open request of this vote
   * and its other pending confirmations, and stores who rejected it. Returns whether it did; of concurrent calls, one does.
   */
  settle(settlement: Settlement): Promise<boolean>
  /**
   * Withdraws a confirmation or a request with its pending confirmations, which then read `expired`. Of decisions, uses and
   * withdrawals at the same time, exactly one succeeds. Returns `false`, and changes nothing, unless what is withdrawn is pending
   * and unexpired, and
   *
   * - a confirmation is of this user, was requested by `initiatedBy`, belongs to no approval request, and is no vouching
   * - a request has exactly `approved` approved confirmations
   */
  withdraw(withdrawal: ConfirmationWithdrawal | RequestWithdrawal): Promise<boolean>
  /**
   * Rejects a request and its pending confirmations, and stores who stopped it, with the reason in the confirmation of this user.
   * Returns `false`, and changes nothing, unless the request is open and asked the user. Of concurrent endings, one succeeds.
   */
  stop(stop: RequestStop): Promise<boolean>
  /**
   * Uses the approval of a user, or the approvals of a request, whose pending confirmations it closes. Of concurrent uses,
   * rejections and endings, exactly one succeeds. Returns `false`, and changes nothing, unless all of these hold at once for a
   * confirmation:
   *
   * - it is approved, at `approvedSince` or later, and is neither used nor voided
   * - it belongs to no approval request and to no vouching
   * - the user is neither disabled nor locked
   * - the device that approved is active, or the passkey that approved is there, and it is trusted at `now`
   *
   * For a request:
   *
   * - it is pending, and `now` is before `expiresAt`
   * - `confirmationIds` are as many as the `count` of the request, all different
   * - each is a confirmation of this request: approved, neither used nor voided, and of another user than the requester
   * - each was approved by another key, and none by the key of a passkey or a device of the requester, removed devices included
   */
  use(use: ConfirmationUse | RequestUse): Promise<boolean>
  /**
   * Ends what a user was asked and asked for. Returns the rejected confirmations. Requests come before confirmations, in the order
   * in which every other transaction locks them.
   *
   * - `account`: the account was locked, disabled or erased. Every pending, unexpired confirmation of the user is rejected, and
   *   every such request that the user started with the pending confirmations of its approvers. Every approved, unused confirmation
   *   of the user is voided, also votes for approval requests.
   * - `sessions`: sessions ended. Only what sessions asked for which somebody else ended (see `endsThatKeepWork`) is rejected, and
   *   the vouchings for devices and passkeys that were removed.
   *
   * Of an end and an approval or a use at the same time, exactly one succeeds.
   */
  endAllOfUser(userId: number, now: Instant, ended: 'account' | 'sessions'): Promise<readonly SettledConfirmation[]>
  /**
   * Erases what a user was asked and asked for, in the transaction that erases the user.
   *
   * - Of the user's confirmations, payload, nonce and statement become `erasedField`, and the other encrypted fields `null`. The
   *   challenge, the status and the signature stay.
   * - Of the user's requests, the payload becomes `erasedField`, and their confirmations lose `requestedFrom`, the client of the
   *   user.
   * - The vouchings of the user and the times of push messages are deleted.
   */
  eraseAllOfUser(userId: number): Promise<void>
  /** Returns how many confirmations and requests expired after `since` and by `now`, undecided. Votes do not count. */
  countExpired(since: Instant, now: Instant): Promise<{ readonly confirmation: number; readonly request: number }>
}
