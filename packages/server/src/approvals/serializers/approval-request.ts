import type { Output } from '@countersign/contract'
import { toIsoTimestamp } from '@countersign/core'
import type { RedeemedRequest, RequestView, WithdrawnRequest } from '@countersign/core/types'
import { isoTimestampOrNull } from '../../shared/iso-timestamp-or-null.ts'

export const serializeRequest = ({
  id,
  status,
  approvals,
  count,
  expiresAt,
  withdrawnAt,
}: RequestView): Output<'approvals.read'> => ({
  approvalId: id,
  status,
  approvals,
  count,
  expiresAt: toIsoTimestamp(expiresAt),
  withdrawnAt: isoTimestampOrNull(withdrawnAt),
})

export const serializeWithdrawnRequest = (view: WithdrawnRequest): Output<'approvals.withdraw'> => ({
  ...serializeRequest(view),
  status: view.status,
  withdrawnAt: toIsoTimestamp(view.withdrawnAt),
})

export const serializeRedeemedRequest = ({
  redeemedAt,
  receipts,
  ...request
}: RedeemedRequest): Output<'services.redeemApproval'> => ({
  ...serializeRequest({ ...request, status: 'redeemed', approvals: request.count, withdrawnAt: null }),
  redeemedAt: toIsoTimestamp(redeemedAt),
  receipts: [...receipts],
})
