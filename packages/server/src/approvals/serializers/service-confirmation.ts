import type { Output } from '@countersign/contract'
import { toIsoTimestamp } from '@countersign/core'
import type { InitiatedConfirmation, ServiceConfirmationView, UseWithReceipt } from '@countersign/core/types'
import { type JsonText, toJsonText } from '../../http/json-text.ts'
import { isoTimestampOrNull } from '../../shared/iso-timestamp-or-null.ts'
import { actionOf } from './confirmation.ts'

export const serializeInitiatedForUser = ({
  id,
  expiresAt,
  matchNumber,
}: InitiatedConfirmation): Output<'services.initiate'> => ({
  confirmationId: id,
  expiresAt: toIsoTimestamp(expiresAt),
  matchNumber,
})

export const serializeForService = (view: ServiceConfirmationView): JsonText<Output<'services.confirmation'>> =>
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

export const serializeRedeemed = ({ confirmation, receipt }: UseWithReceipt): Output<'services.redeem'> => ({
  receipt,
  confirmationId: confirmation.id,
  consumedAt: toIsoTimestamp(confirmation.consumedAt),
})
