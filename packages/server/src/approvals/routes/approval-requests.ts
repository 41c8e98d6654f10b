import type { CountersignApprovals } from '@countersign/core'
import type { OperationHandlers } from '../../http/operation-handler.ts'

/** Gives the id of a request the name that the contract has for it. */
const named = <R extends { readonly id: string }>({ id, ...request }: R) => ({ ...request, approvalId: id })

export const approvalRequestHandlers = ({ approvalRequests }: Pick<CountersignApprovals, 'approvalRequests'>) =>
  ({
    'approvals.start': async ({ input, caller, sourceOf, client }) => {
      const actionPayloadText = sourceOf('actionPayload')
      return named(await approvalRequests.start({ ...input, ...client, caller, actionPayloadText }))
    },
    'approvals.read': async ({ input, caller }) => named(await approvalRequests.read({ ...input, caller })),
    'approvals.withdraw': async ({ input, caller }) => named(await approvalRequests.withdraw({ ...input, caller })),
    'approvals.stop': async ({ input, caller }) => named(await approvalRequests.stop({ ...input, caller })),
    'services.withdrawApproval': async ({ input, service }) =>
      named(await approvalRequests.withdrawForService({ ...input, service })),
    'services.approval': async ({ input, service }) => named(await approvalRequests.readForService({ ...input, service })),
    'services.redeemApproval': async ({ input, service, sourceOf }) => {
      const actionPayloadText = sourceOf('actionPayload')
      const redeemed = await approvalRequests.redeem({ ...input, service, actionPayloadText })
      return { ...named(redeemed), status: 'redeemed', approvals: redeemed.count, withdrawnAt: null }
    },
  }) satisfies Partial<OperationHandlers>
