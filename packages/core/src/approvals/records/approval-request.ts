import type { ApprovalStatus } from '@countersign/contract'
import type { Displays } from '@countersign/contract/display'
import type { Bound } from '../../identity/records/bound.ts'
import type { SettledConfirmation } from '../../identity/user-model/account-endings.ts'
import type { Instant } from '../../shared/clock.ts'
import type { SealedField } from '../../shared/crypto/field-encryption.ts'
import { sealedJson } from '../sealed-columns.ts'
import type { ActionPolicy } from './action-policy.ts'
import type { Confirmation, Settlement } from './confirmation.ts'
import { sealedPayload } from './payload.ts'

/** The encrypted JSON of the payload. */
export const requestPayload = sealedPayload('approval_requests')

/** The encrypted words of a request, which every vote signs. */
export const requestDisplay = sealedJson<Displays>('approval_requests', 'display')

/** The policy that applied when a request was started, and the other facts that never change. */
export interface RequestTerms {
  readonly policy: ActionPolicy
  /** The index of the band that applied. */
  readonly band: number
  readonly tenant: string | null
  readonly operation: string | null
}

/** The encrypted terms of a request. */
export const requestTerms = sealedJson<RequestTerms>('approval_requests', 'terms')

/** An action that needs the approvals of several users. Each approver has a confirmation with the id of the request. */
export interface ApprovalRequest {
  /** `appr_` and a UUID. */
  readonly id: string
  /** The user who asks. The requester never approves. */
  readonly requestedBy: number
  /** The session in which the requester asked; `null` if no session is known. */
  readonly requestedIn: string | null
  /** The tenant of the statements of the votes, for filters; `null` for none. */
  readonly tenant: string | null
  /** The bound of the session that asked. */
  readonly boundTo: Bound
  readonly actionType: string
  /** The JSON of the payload; encrypted. */
  readonly payload: SealedField
  /** The words that the approvers sign; encrypted. Kept as long as a vote, because its receipt has them. */
  readonly display: SealedField
  /** The policy and the operation, encrypted, so that write access to the database is not enough to change them. */
  readonly terms: SealedField
  /** The approvals that the request needs; zero if its band needs nobody. */
  readonly count: number
  /**
   * `approved` is not stored: the confirmations decide it. `expired` is stored for a withdrawn request only. For any other
   * request, the clock decides it.
   */
  readonly status: Exclude<ApprovalStatus, 'approved'>
  /** The time at which the request was withdrawn; `null` for any other request. */
  readonly withdrawnAt: Instant | null
  readonly createdAt: Instant
  readonly expiresAt: Instant
  readonly redeemedAt: Instant | null
  /** The consumer, from `consumerName`. */
  readonly redeemedBy: string | null
  /** The idempotency key of the use, if one was given. */
  readonly redeemedKey: string | null
}

/** Returns the status of a request at `now`. `isComplete`: the request has all its approvals. */
export const requestStatus = (
  { status, expiresAt }: Pick<ApprovalRequest, 'status' | 'expiresAt'>,
  isComplete: boolean,
  now: Instant,
): ApprovalStatus => {
  if (status !== 'pending') return status
  if (now >= expiresAt) return 'expired'
  return isComplete ? 'approved' : 'pending'
}

/** The use of a request. */
export interface RequestUse {
  readonly id: string
  /** The approvals to use: as many as the request needs, each once. */
  readonly confirmationIds: readonly string[]
  /** The consumer, from `consumerName`. */
  readonly redeemedBy: string
  readonly redeemedKey: string | null
  /** The receipts for a repeated use, by confirmation id. Empty if the use cannot be repeated. */
  readonly receipts: ReadonlyMap<string, SealedField>
  readonly now: Instant
}

/** The rejection of a request by one of its approvers. */
export interface RequestRejection extends Omit<Settlement, 'outcome' | 'deviceId'> {
  readonly approvalId: string
}

/** The withdrawal of a request. */
export interface RequestWithdrawal {
  readonly id: string
  /** The number of approved confirmations of the request, as the caller has just read it. */
  readonly approved: number
  readonly now: Instant
}

/** The store of approval requests. Each request ends once, also if many callers try at the same time. */
export interface ApprovalRequestStore {
  /**
   * Adds a pending request with the confirmations of its approvers, in one transaction. A confirmation of an account that is
   * disabled or locked is left out. Returns `false`, and adds nothing, if the requester already has `openLimit` pending,
   * unexpired requests with the bound of this one, if the requester is disabled or locked, or if the session that asks
   * (`requestedIn`) is not live. All of this also holds for concurrent calls. Rejects, and adds nothing, if two confirmations are
   * of one user, or if the count is below zero. Those who are asked become the most recently asked users.
   *
   * @param wanted The permissions whose later holders are still to be asked, as lists of users spell them
   *   (see `waitingFor`); none by default.
   */
  open(
    request: ApprovalRequest,
    confirmations: readonly Confirmation[],
    openLimit: number,
    wanted?: readonly string[],
  ): Promise<boolean>
  /**
   * Returns the pending, unexpired requests of others that need a permission which this user holds or got by a delegation, and
   * that did not ask the user, the newest first. Looks only at the newest `limit` requests that need such a permission. The
   * stored permissions decide, so the caller checks each request again. With tenants, only requests in one of them. One look-up by
   * an index.
   */
  waitingFor(userId: number, now: Instant, limit: number, tenants?: Bound): Promise<readonly ApprovalRequest[]>
  /**
   * Adds the confirmation of one more approver to a pending, unexpired request, and makes the user the most recently asked one.
   * Returns `false`, and adds nothing, if the request has `most` confirmations or one of this user, if it has ended, or if the
   * user is disabled or locked. With `most` confirmations, the request asks nobody else. All of this also holds for concurrent
   * calls.
   */
  ask(confirmation: Confirmation, most: number): Promise<boolean>
  byId(id: string): Promise<ApprovalRequest | undefined>
  /** Returns every request of a requester, oldest first. */
  allOfRequester(requestedBy: number): Promise<readonly ApprovalRequest[]>
  /** Returns a page of the pending, unexpired requests of an action type, by ascending id, after `afterId`. */
  openOfType(
    actionType: string,
    page: { readonly afterId: string; readonly limit: number; readonly now: Instant },
  ): Promise<readonly ApprovalRequest[]>
  /** Returns the number of pending, unexpired requests that sessions of a user with this bound started. */
  openOf(requestedBy: number, now: Instant, boundTo?: Bound): Promise<number>
  /** Returns the number of requests that were not redeemed, rejected or withdrawn, and that expired after `since` and by `now`. */
  countExpired(since: Instant, now: Instant): Promise<number>
  /** Returns the encrypted words of requests, by the id of the request. */
  displaysOf(ids: readonly string[]): Promise<ReadonlyMap<string, SealedField>>
  /** Returns the confirmations of a request, in any order. */
  confirmationsOf(id: string): Promise<readonly Confirmation[]>
  /**
   * Uses the approvals of a request, and closes its pending confirmations. One transaction: of concurrent uses and
   * rejections, exactly one succeeds. Returns `false`, and changes nothing, unless all of these hold:
   *
   * - the request is pending, and `now` is before `expiresAt`
   * - `confirmationIds` are as many as the `count` of the request, all different
   * - each is a confirmation of this request: approved, neither used nor voided, and of another user than the requester
   * - each was approved by another key, and none by the key of a passkey or a device of the requester, removed devices included
   */
  use(use: RequestUse): Promise<boolean>
  /**
   * Rejects a user's confirmation, and with it the request and every other pending confirmation of the request. One transaction.
   * Returns `false`, and changes nothing, unless the request and the user's confirmation are pending and unexpired.
   */
  reject(rejection: RequestRejection): Promise<boolean>
  /**
   * Withdraws a request, and with it every pending confirmation of the request. One transaction: of concurrent approvals,
   * rejections, uses and withdrawals, each sees the others. Returns `false`, and changes nothing, unless the request is
   * pending and unexpired, and has exactly `approved` approved confirmations.
   */
  withdraw(withdrawal: RequestWithdrawal): Promise<boolean>
  /**
   * Rejects every pending, unexpired request of a requester, or only those that sessions started which somebody else ended (see
   * `endsThatKeepWork`), and the pending confirmations of these requests, which it returns. Runs in the
   * transaction that ends the account or the sessions of the requester, before its confirmations are rejected.
   */
  rejectAllOfRequester(requestedBy: number, now: Instant, only?: 'of_ended_sessions'): Promise<readonly SettledConfirmation[]>
  /**
   * Replaces the payload of every request of a requester by `erasedField`, and empties `requestedFrom`, the client of the
   * requester, in the confirmations of these requests. Runs in the transaction that erases the requester.
   */
  eraseAllOfRequester(requestedBy: number): Promise<void>
}
