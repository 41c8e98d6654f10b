import type { Output } from '@countersign/contract'
import { type CountersignApprovals, toIsoTimestamp } from '@countersign/core'
import type { RedeemedRequest, RequestView, WithdrawnRequest } from '@countersign/core/types'
import type { OperationHandlers } from '../../http/operation-handler.ts'
import { isoTimestampOrNull } from '../../shared/iso-timestamp-or-null.ts'

const serializeRequest = (request: RequestView): Output<'approvals.read'> => ({
  approvalId: request.id,
  status: request.status,
  approvals: request.approvals,
  count: request.count,
  groups: [...request.groups],
  expiresAt: toIsoTimestamp(request.expiresAt),
  withdrawnAt: isoTimestampOrNull(request.withdrawnAt),
})

const serializeWithdrawnRequest = (view: WithdrawnRequest): Output<'approvals.withdraw'> => ({
  ...serializeRequest(view),
  status: view.status,
  withdrawnAt: toIsoTimestamp(view.withdrawnAt),
})

const serializeRedeemedRequest = (request: RedeemedRequest): Output<'services.redeemApproval'> => ({
  approvalId: request.id,
  status: 'redeemed',
  approvals: request.count,
  count: request.count,
  expiresAt: toIsoTimestamp(request.expiresAt),
  withdrawnAt: null,
  redeemedAt: toIsoTimestamp(request.redeemedAt),
  receipts: [...request.receipts],
})

export const approvalRequestHandlers = ({ approvalRequests }: Pick<CountersignApprovals, 'approvalRequests'>) =>
  ({
    'approvals.start': async ({ input, caller, sourceOf, client }) => {
      const actionPayloadText = sourceOf('actionPayload')
      return serializeRequest(await approvalRequests.start({ ...input, ...client, caller, actionPayloadText }))
    },
    'approvals.read': async ({ input, caller }) => serializeRequest(await approvalRequests.read({ ...input, caller })),
    'approvals.withdraw': async ({ input, caller }) =>
      serializeWithdrawnRequest(await approvalRequests.withdraw({ ...input, caller })),
    'services.withdrawApproval': async ({ input, service }) =>
      serializeWithdrawnRequest(await approvalRequests.withdrawForService({ ...input, service })),
    'services.approval': async ({ input, service }) =>
      serializeRequest(await approvalRequests.readForService({ ...input, service })),
    'services.redeemApproval': async ({ input, service, sourceOf }) => {
      const actionPayloadText = sourceOf('actionPayload')
      return serializeRedeemedRequest(await approvalRequests.redeem({ ...input, service, actionPayloadText }))
    },
  }) satisfies Partial<OperationHandlers>
