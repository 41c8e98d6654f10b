import type { Output } from '@countersign/contract'
import { type Confirmation, type ConfirmationView, toIsoTimestamp } from '@countersign/core'
import { JsonText, toJsonText } from '../../http/json-text.ts'

type Payload = Output<'confirmations.status'>['actionPayload']

export const presentInitiated = ({ id, challenge, expiresAt }: Confirmation): Output<'confirmations.initiate'> => ({
  confirmationId: id,
  challenge,
  expiresAt: toIsoTimestamp(expiresAt),
})

export const presentStatus = (view: ConfirmationView): JsonText<Output<'confirmations.status'>> =>
  toJsonText<Output<'confirmations.status'>>({
    confirmationId: view.id,
    status: view.status,
    actionType: view.actionType,
    actionPayload: new JsonText<Payload>(view.actionPayloadText),
    createdAt: toIsoTimestamp(view.createdAt),
    expiresAt: toIsoTimestamp(view.expiresAt),
    updatedAt: toIsoTimestamp(view.updatedAt),
  })

export const presentPending = (views: readonly ConfirmationView[]): JsonText<Output<'confirmations.pending'>> =>
  toJsonText<Output<'confirmations.pending'>>({
    confirmations: views.map((view) => ({
      confirmationId: view.id,
      userId: view.userId,
      actionType: view.actionType,
      actionPayload: new JsonText<Payload>(view.actionPayloadText),
      challenge: view.challenge,
      nonce: view.nonce,
      createdAt: toIsoTimestamp(view.createdAt),
      expiresAt: toIsoTimestamp(view.expiresAt),
    })),
  })
