import type { Output } from '@countersign/contract'
import { type CountersignApprovals, type CountersignIdentity, toIsoTimestamp } from '@countersign/core'
import type { InitiatedConfirmation, ServiceConfirmationView, UseWithReceipt } from '@countersign/core/types'
import { type JsonText, toJsonText } from '../../http/json-text.ts'
import type { OperationHandlers } from '../../http/operation-handler.ts'
import { isoTimestampOrNull } from '../../shared/iso-timestamp-or-null.ts'
import type { DecisionWaits } from '../decision-waits.ts'
import { actionOf, serializeWithdrawn } from '../serializers/confirmation.ts'

const serializeInitiatedForUser = ({ id, expiresAt, matchNumber }: InitiatedConfirmation): Output<'services.initiate'> => ({
  confirmationId: id,
  expiresAt: toIsoTimestamp(expiresAt),
  matchNumber,
})

const serializeForService = (view: ServiceConfirmationView): JsonText<Output<'services.confirmation'>> =>
  toJsonText<Output<'services.confirmation'>>({
    confirmationId: view.id,
    userId: view.userId,
    status: view.status,
    ...actionOf(view),
    createdAt: toIsoTimestamp(view.createdAt),
    expiresAt: toIsoTimestamp(view.expiresAt),
    updatedAt: toIsoTimestamp(view.updatedAt),
    approvedAt: isoTimestampOrNull(view.approvedAt),
    consumedAt: isoTimestampOrNull(view.consumedAt),
    voidedAt: isoTimestampOrNull(view.voidedAt),
    withdrawnAt: isoTimestampOrNull(view.withdrawnAt),
  })

const serializeRedeemed = ({ confirmation, receipt }: UseWithReceipt): Output<'services.redeem'> => ({
  receipt,
  confirmationId: confirmation.id,
  consumedAt: toIsoTimestamp(confirmation.consumedAt),
})

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
