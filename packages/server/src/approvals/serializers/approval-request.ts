import type { Output } from '@countersign/contract'
import { type RedeemedRequest, type RequestView, toIsoTimestamp } from '@countersign/core'

export const serializeRequest = ({ id, status, approvals, count, expiresAt }: RequestView): Output<'approvals.read'> => ({
  approvalId: id,
  status,
  approvals,
  count,
  expiresAt: toIsoTimestamp(expiresAt),
})

export const serializeRedeemedRequest = ({
  redeemedAt,
  receipts,
  ...request
}: RedeemedRequest): Output<'services.redeemApproval'> => ({
  ...serializeRequest({ ...request, status: 'redeemed', approvals: request.count }),
  redeemedAt: toIsoTimestamp(redeemedAt),
  receipts: [...receipts],
})
