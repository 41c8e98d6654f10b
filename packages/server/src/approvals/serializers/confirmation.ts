import type { Action, Output, Statement } from '@countersign/contract'
import { toIsoTimestamp } from '@countersign/core'
import type { ConfirmationView, InitiatedConfirmation, WithdrawnConfirmation } from '@countersign/core/types'
import { JsonText, toJsonText, type WithJsonText } from '../../http/json-text.ts'
import { isoTimestampOrNull } from '../../shared/iso-timestamp-or-null.ts'

type ActionWithText = Exclude<WithJsonText<Action>, JsonText<Action>>

/** Returns the action with the stored text of its payload. The text was checked against the action type when it was stored. */
export const actionOf = ({ actionType, actionPayloadText }: ConfirmationView): ActionWithText =>
  ({ actionType, actionPayload: new JsonText(actionPayloadText) }) as ActionWithText

/** The version of the type, and the words that the device shows and signs. */
const shownOf = ({ actionTypeVersion, display }: ConfirmationView) => ({
  actionTypeVersion,
  display: display as Output<'confirmations.pending'>['confirmations'][number]['display'],
})

export const serializeInitiated = ({
  id,
  challenge,
  expiresAt,
  matchNumber,
}: InitiatedConfirmation): Output<'confirmations.initiate'> => ({
  confirmationId: id,
  challenge,
  expiresAt: toIsoTimestamp(expiresAt),
  ...(matchNumber === null ? {} : { matchNumber }),
})

export const serializeStatus = (view: ConfirmationView): JsonText<Output<'confirmations.status'>> =>
  toJsonText<Output<'confirmations.status'>>({
    confirmationId: view.id,
    status: view.status,
    ...actionOf(view),
    createdAt: toIsoTimestamp(view.createdAt),
    expiresAt: toIsoTimestamp(view.expiresAt),
    updatedAt: toIsoTimestamp(view.updatedAt),
    reason: view.reason,
    withdrawnAt: isoTimestampOrNull(view.withdrawnAt),
    ...shownOf(view),
  })

export const serializeWithdrawn = ({ id, withdrawnAt }: WithdrawnConfirmation): Output<'confirmations.withdraw'> => ({
  success: true,
  confirmationId: id,
  status: 'expired',
  withdrawnAt: toIsoTimestamp(withdrawnAt),
})

export const serializePending = (views: readonly ConfirmationView[]): JsonText<Output<'confirmations.pending'>> =>
  toJsonText<Output<'confirmations.pending'>>({
    confirmations: views.map((view) => ({
      confirmationId: view.id,
      ...actionOf(view),
      challenge: view.challenge,
      nonce: view.nonce,
      statement: new JsonText<Statement>(view.statementText),
      requestedFrom: view.requestedFrom && { ...view.requestedFrom, at: toIsoTimestamp(view.createdAt) },
      numberMatching: view.numberMatching,
      ...shownOf(view),
      createdAt: toIsoTimestamp(view.createdAt),
      expiresAt: toIsoTimestamp(view.expiresAt),
    })),
  })
