import type { ApprovalStatus } from '@countersign/contract'
import type { Instant } from '../../shared/clock.ts'
import type { SealedField } from '../../shared/crypto/field-encryption.ts'
import { sealedColumn } from '../../shared/crypto/sealed-column.ts'
import type { ActionPolicy } from '../policies/action-policy.ts'

/** The encrypted JSON of the payload. */
export const requestPayload = sealedColumn('approval_requests', 'payload')

/** An action that needs the approvals of several users. Each approver has a confirmation with the id of the request. */
export interface ApprovalRequest extends ActionPolicy {
  /** `appr_` and a UUID. */
  readonly id: string
  /** The user who asks. The requester never approves. */
  readonly requestedBy: number
  /** The session in which the requester asked; `null` if no session is known. */
  readonly requestedIn: string | null
  readonly actionType: string
  /** The JSON of the payload; encrypted (`sealRequestPayload`). */
  readonly payload: SealedField
  /** `approved` and `expired` are not stored: the confirmations and the clock decide them. */
  readonly status: 'pending' | 'rejected' | 'redeemed'
  readonly createdAt: Instant
  readonly expiresAt: Instant
  readonly redeemedAt: Instant | null
  /** The service that redeemed, from `consumerName`. */
  readonly redeemedBy: string | null
  /** The idempotency key of the redemption, if one was given. */
  readonly redeemedKey: string | null
}

/** Returns the status at `now`, of a request with this number of approvals that count. */
export const requestStatus = (
  { status, count, expiresAt }: Pick<ApprovalRequest, 'status' | 'count' | 'expiresAt'>,
  approvals: number,
  now: Instant,
): ApprovalStatus => {
  if (status !== 'pending') return status
  if (now >= expiresAt) return 'expired'
  return approvals >= count ? 'approved' : 'pending'
}
