import type { Confirmation } from '../../../approvals/confirmations/confirmation.ts'
import type { Instant } from '../../../shared/clock.ts'
import type { Tables } from '../tables.ts'

/** Returns whether an approval request can still be approved or redeemed. */
export const isOpenRequest = ({ approvalRequests }: Tables, approvalId: string | null, now: Instant): boolean => {
  const request = approvalRequests.get(approvalId ?? '')
  return request?.status === 'pending' && request.expiresAt > now
}

/** Returns whether a confirmation is settled or expired, and belongs to no open approval request. */
export const isFinished = (tables: Tables, { status, expiresAt, approvalId }: Confirmation, now: Instant): boolean =>
  (status !== 'pending' || expiresAt <= now) && !isOpenRequest(tables, approvalId, now)
