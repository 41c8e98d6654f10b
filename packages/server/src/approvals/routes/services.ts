import type { CountersignApprovals, CountersignIdentity } from '@countersign/core'
import type { OperationHandlers } from '../../http/operation-handler.ts'
import type { DecisionWaits } from '../decision-waits.ts'
import { serializeWithdrawn } from '../serializers/confirmation.ts'
import { serializeForService, serializeInitiatedForUser, serializeRedeemed } from '../serializers/service-confirmation.ts'

export const serviceHandlers = (
  { auth, services }: Pick<CountersignApprovals, 'services'> & Pick<CountersignIdentity, 'auth'>,
  waits: DecisionWaits,
) =>
  ({
    'services.initiate': async ({ input, service, sourceOf, client }) => {
      const actionPayloadText = sourceOf('actionPayload')
      return serializeInitiatedForUser(await services.initiate({ ...input, ...client, service, actionPayloadText }))
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
      return serializeForService(state)
    },
    'services.withdraw': async ({ input, service }) => serializeWithdrawn(await services.withdraw({ ...input, service })),
    'services.receipt': async ({ input, service }) => ({ receipt: await services.receipt({ ...input, service }) }),
    'services.redeem': async ({ input, service, sourceOf }) => {
      const actionPayloadText = sourceOf('actionPayload')
      return serializeRedeemed(await services.redeem({ ...input, service, actionPayloadText }))
    },
  }) satisfies Partial<OperationHandlers>
