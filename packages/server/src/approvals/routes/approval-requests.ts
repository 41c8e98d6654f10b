import type { Output } from '@countersign/contract'
import type { CountersignApprovals } from '@countersign/core'
import { WithJsonText } from '../../http/json-text.ts'
import type { OperationHandlers } from '../../http/operation-handler.ts'
import { actionOf } from './confirmations.ts'

/** Gives the id of a request the name that the contract has for it. */
const named = <R extends { readonly id: string }>({ id, ...request }: R) => ({ ...request, approvalId: id })

export const approvalRequestHandlers = ({ approvalRequests }: Pick<CountersignApprovals, 'approvalRequests'>) =>
  ({
    'approvals.start': async ({ input, caller, sourceOf, client }) => {
      const actionPayloadText = sourceOf('actionPayload')
      return named(await approvalRequests.start({ ...input, ...client, caller, actionPayloadText }))
    },
    'approvals.list': async ({ input, caller }) => {
      const { items, next } = await approvalRequests.listOwn({ ...input, caller })
      return new WithJsonText<Output<'approvals.list'>>({
        approvals: items.map((one) => ({ ...named(one), ...actionOf(one) })),
        nextCursor: next,
      })
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
