import type { Output } from '@countersign/contract'
import {
  type InitiatedConfirmation,
  type Instant,
  type ServiceConfirmationView,
  toIsoTimestamp,
  type UseWithReceipt,
} from '@countersign/core'
import { type JsonText, toJsonText } from '../../http/json-text.ts'
import { actionOf } from './confirmation.ts'

const orNull = (instant: Instant | null): string | null => (instant === null ? null : toIsoTimestamp(instant))

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
    approvedAt: orNull(view.approvedAt),
    consumedAt: orNull(view.consumedAt),
    voidedAt: orNull(view.voidedAt),
    withdrawnAt: orNull(view.withdrawnAt),
  })

export const serializeRedeemed = ({ confirmation, receipt }: UseWithReceipt): Output<'services.redeem'> => ({
  receipt,
  confirmationId: confirmation.id,
  consumedAt: toIsoTimestamp(confirmation.consumedAt),
})
