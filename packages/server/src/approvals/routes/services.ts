import type { Output } from '@countersign/contract'
import type { CountersignApprovals, CountersignIdentity } from '@countersign/core'
import { WithJsonText } from '../../http/json-text.ts'
import type { OperationHandlers } from '../../http/operation-handler.ts'
import type { DecisionWaits } from '../decision-waits.ts'
import { actionOf, namedWithdrawn } from './confirmations.ts'

export const serviceHandlers = (
  { auth, services }: Pick<CountersignApprovals, 'services'> & Pick<CountersignIdentity, 'auth'>,
  waits: DecisionWaits,
) =>
  ({
    'services.initiate': async ({ input, service, sourceOf, client }) => {
      const actionPayloadText = sourceOf('actionPayload')
      const { id, ...initiated } = await services.initiate({ ...input, ...client, service, actionPayloadText })
      return { ...initiated, confirmationId: id }
    },
    'services.confirmation': async ({ input, service, token, disconnected }) => {
      const first = await services.confirmation({ ...input, service })
      const state = await waits.until({
        first,
        // The token may be revoked, or lose a scope, while the request waits.
        read: async () =>
          services.confirmation({ ...input, service: await auth.authenticateService({ token, serviceName: service.name }) }),
        isDecided: ({ status }) => status !== 'pending',
        seconds: Number(input.wait ?? 0),
        disconnected,
      })
      return new WithJsonText<Output<'services.confirmation'>>({ ...state, confirmationId: state.id, ...actionOf(state) })
    },
    'services.withdraw': async ({ input, service }) => namedWithdrawn(await services.withdraw({ ...input, service })),
    'services.receipt': async ({ input, service }) => ({ receipt: await services.receipt({ ...input, service }) }),
    'services.redeem': async ({ input, service, sourceOf }) => {
      const actionPayloadText = sourceOf('actionPayload')
      const { confirmation, receipt } = await services.redeem({ ...input, service, actionPayloadText })
      return { receipt, confirmationId: confirmation.id, consumedAt: confirmation.consumedAt }
    },
  }) satisfies Partial<OperationHandlers>
