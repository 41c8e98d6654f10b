import type { ActionType, ConfirmationStatus } from '@countersign/contract'
import type { Instant } from '../../shared/clock.ts'
import type { ApprovalDeps } from '../deps.ts'
import { type Confirmation, statusAt } from './confirmation.ts'
import { openNonce, openPayload } from './sealed-fields.ts'

/** A confirmation as its user may see it. */
export interface ConfirmationView {
  readonly id: string
  readonly userId: number
  readonly actionType: ActionType
  /** The payload's JSON, to the byte as it was received: parsing it would lose the order of members named by integers. */
  readonly actionPayloadText: string
  readonly status: ConfirmationStatus
  readonly challenge: string
  readonly nonce: string
  readonly createdAt: Instant
  readonly expiresAt: Instant
  readonly updatedAt: Instant
}

export const toView = (
  deps: Pick<ApprovalDeps, 'encryptionKeys'>,
  confirmation: Confirmation,
  now: Instant,
): ConfirmationView => {
  const status = statusAt(confirmation, now)
  return {
    id: confirmation.id,
    userId: confirmation.userId,
    actionType: confirmation.actionType,
    actionPayloadText: openPayload(deps, confirmation.id, confirmation.payload),
    status,
    challenge: confirmation.challenge,
    nonce: openNonce(deps, confirmation.id, confirmation.nonce),
    createdAt: confirmation.createdAt,
    expiresAt: confirmation.expiresAt,
    // Nothing is written when a confirmation expires.
    updatedAt: status === 'expired' ? confirmation.expiresAt : confirmation.updatedAt,
  }
}
