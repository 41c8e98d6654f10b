import type { ActionType, ConfirmationStatus } from '@countersign/contract'
import type { Instant } from '../../shared/clock.ts'
import type { ApprovalDeps } from '../deps.ts'
import { type Confirmation, statusAt } from './confirmation.ts'
import { openNonce, openPayload } from './sealed-fields.ts'

/** A confirmation as the user sees it, with its encrypted fields opened. */
export interface ConfirmationView {
  readonly id: string
  readonly userId: number
  readonly actionType: ActionType
  /** The JSON of the payload, byte for byte as it was received. Parsing would reorder members with integer names. */
  readonly actionPayloadText: string
  readonly status: ConfirmationStatus
  readonly challenge: string
  readonly nonce: string
  readonly createdAt: Instant
  readonly expiresAt: Instant
  readonly updatedAt: Instant
}

/** Decrypts a confirmation for its user. @throws FieldNotOpened */
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
    // No row is written when a confirmation expires, so the stored time would be too early.
    updatedAt: status === 'expired' ? confirmation.expiresAt : confirmation.updatedAt,
  }
}
