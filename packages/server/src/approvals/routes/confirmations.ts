import type { CountersignApprovals } from '@countersign/core'
import type { OperationHandlers } from '../../http/operation-handler.ts'
import { serializeInitiated, serializePending, serializeStatus, serializeWithdrawn } from '../serializers/confirmation.ts'

export const confirmationHandlers = ({ confirmations }: Pick<CountersignApprovals, 'confirmations'>) =>
  ({
    'confirmations.initiate': async ({ input, caller, sourceOf, client, extended }) => {
      const actionPayloadText = sourceOf('actionPayload')
      return serializeInitiated(await confirmations.initiate({ ...input, ...client, caller, actionPayloadText, extended }))
    },
    'confirmations.pending': async ({ caller }) => serializePending(await confirmations.pending({ caller })),
    'confirmations.status': async ({ input, caller }) => serializeStatus(await confirmations.status({ ...input, caller })),
    'confirmations.verify': async ({ input, caller }) => {
      await confirmations.approve({ ...input, caller })
      return { success: true, confirmationId: input.confirmationId, status: 'approved' }
    },
    'confirmations.reject': async ({ input, caller }) => {
      await confirmations.reject({ ...input, caller })
      return { success: true, confirmationId: input.confirmationId, status: 'rejected' }
    },
    'confirmations.withdraw': async ({ input, caller }) => serializeWithdrawn(await confirmations.withdraw({ ...input, caller })),
  }) satisfies Partial<OperationHandlers>
