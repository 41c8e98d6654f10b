import type { CountersignApprovals } from '@countersign/core'
import type { OperationHandlers } from '../../http/operation-handler.ts'
import { serializeRedeemedRequest, serializeRequest, serializeWithdrawnRequest } from '../serializers/approval-request.ts'

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
