import type { ApprovalStatus } from '@countersign/contract'
import type { Displays } from '@countersign/contract/display'
import type { Bound } from '../../identity/records/bound.ts'
import type { Instant } from '../../shared/clock.ts'
import type { SealedField } from '../../shared/crypto/field-encryption.ts'
import type { PageQuery } from '../../shared/list-page.ts'
import { sealedJson } from '../sealed-columns.ts'
import type { ActionPolicy } from './action-policy.ts'
import type { Confirmation } from './confirmation.ts'
import { sealedPayload } from './payload.ts'

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

export const requestTerms = sealedJson<RequestTerms>('approval_requests', 'terms')

/** An action that needs the approvals of several users. Each approver has a confirmation with the id of the request. */
export interface ApprovalRequest extends Pick<Confirmation, 'tenant' | 'actionType' | 'payload' | 'createdAt' | 'expiresAt'> {
  /** `appr_` and a UUID. */
  readonly id: string
  /** The user who asks. The requester never approves. */
  readonly requestedBy: number
  /** The session in which the requester asked; `null` if no session is known. */
  readonly requestedIn: string | null
  /** The bound of the session that asked. */
  readonly boundTo: Bound
  /** The words that the approvers sign; encrypted. Kept as long as a vote, because its receipt has them. */
  readonly display: SealedField
  /** The policy and the operation, encrypted, so that write access to the database is not enough to change them. */
  readonly terms: SealedField
  /** The approvals that the request needs; zero if its band needs nobody. */
  readonly count: number
  /** `approved` is never stored: the confirmations decide it. `expired` is stored only for a withdrawn request. */
  readonly status: Exclude<ApprovalStatus, 'approved'>
  /** The time at which the request was withdrawn; `null` for any other request. */
  readonly withdrawnAt: Instant | null
  /** The approver who rejected or stopped the request, whose confirmation has the reason; `null` for any other request. */
  readonly stoppedBy: number | null
  /** The time at which `stoppedBy` did so; `null` for any other request. */
  readonly stoppedAt: Instant | null
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

/** The question for a page of the requests of one requester. */
export interface RequestPageQuery extends Omit<PageQuery, 'userId'> {
  readonly requestedBy: number
  /** Only requests that this session started. */
  readonly requestedIn?: string | undefined
  /** Only requests in one of these tenants; `null` for all. */
  readonly tenants: Bound
  /** Only requests that may have this status at `now`: a pending, unexpired one may turn out `pending`, `approved` or `expired`. */
  readonly status?: ApprovalStatus | undefined
  readonly actionType?: string | undefined
  readonly now: Instant
}

/** The store of approval requests. Their ends are in `ApprovalStore`. */
export interface ApprovalRequestStore {
  /**
   * Adds a pending request with the confirmations of its approvers, in one transaction, without those of disabled or locked
   * accounts. Returns `false`, and adds nothing, if the requester has `openLimit` open requests with this bound, is disabled or
   * locked, or if the session that asks is not live; also for concurrent calls. Rejects two confirmations of one user, and a count
   * below zero. Later holders of the permissions `wanted` are still asked (see `waitingFor`).
   */
  open(
    request: ApprovalRequest,
    confirmations: readonly Confirmation[],
    openLimit: number,
    wanted?: readonly string[],
  ): Promise<boolean>
  /**
   * Returns the open requests of others that did not ask the user and need a permission of the user, also by a delegation, newest
   * first. Looks at the newest `limit` such requests by the stored permissions, so the caller checks each again.
   */
  waitingFor(userId: number, now: Instant, limit: number, tenants?: Bound): Promise<readonly ApprovalRequest[]>
  /**
   * Adds the confirmation of one more approver to an open request. Returns `false`, and adds nothing, if the request has `most`
   * confirmations or one of this user, or if the user is disabled or locked; also for concurrent calls.
   */
  ask(confirmation: Confirmation, most: number): Promise<boolean>
  byId(id: string): Promise<ApprovalRequest | undefined>
  /** Returns a page of the requests of a requester, newest first. */
  page(query: RequestPageQuery): Promise<readonly ApprovalRequest[]>
  /** Returns every request of a requester, oldest first. */
  allOfRequester(requestedBy: number): Promise<readonly ApprovalRequest[]>
  /** Returns a page of the pending, unexpired requests of an action type, by ascending id, after `afterId`. */
  openOfType(
    actionType: string,
    page: { readonly afterId: string; readonly limit: number; readonly now: Instant },
  ): Promise<readonly ApprovalRequest[]>
  /** Returns the number of pending, unexpired requests that sessions of a user with this bound started. */
  openOf(requestedBy: number, now: Instant, boundTo?: Bound): Promise<number>
  /** Returns the encrypted words of requests, by the id of the request. */
  displaysOf(ids: readonly string[]): Promise<ReadonlyMap<string, SealedField>>
  /** Returns the confirmations of a request, in any order. */
  confirmationsOf(id: string): Promise<readonly Confirmation[]>
}
