import type { ConfirmationStatus } from '@countersign/contract'
import type { SeenClient } from '../../identity/login/from-client.ts'
import type { Instant } from '../../shared/clock.ts'
import type { ApprovalDeps } from '../deps.ts'
import { type Confirmation, statusAt } from './confirmation.ts'
import { openNonce, openOrigin, openPayload, openReason } from './sealed-fields.ts'

/** A confirmation as the user sees it, with its encrypted fields opened. */
export interface ConfirmationView {
  readonly id: string
  readonly userId: number
  /** One of the types of the contract, or a registered action type. */
  readonly actionType: string
  /** The JSON of the payload, byte for byte as it was received. Parsing would reorder members with integer names. */
  readonly actionPayloadText: string
  readonly status: ConfirmationStatus
  readonly challenge: string
  readonly nonce: string
  /** The client that asked; `null` where none was recorded. */
  readonly requestedFrom: SeenClient | null
  /** True where an approval needs the number that the asking page shows. */
  readonly numberMatching: boolean
  /** The reason of a rejection; `null` where there is none. */
  readonly reason: string | null
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
  const { requestedFrom, rejectReason } = confirmation
  return {
    id: confirmation.id,
    userId: confirmation.userId,
    actionType: confirmation.actionType,
    actionPayloadText: openPayload(deps, confirmation.id, confirmation.payload),
    status,
    challenge: confirmation.challenge,
    nonce: openNonce(deps, confirmation.id, confirmation.nonce),
    requestedFrom: requestedFrom && openOrigin(deps, confirmation.id, requestedFrom),
    numberMatching: confirmation.matchNumber !== null,
    reason: rejectReason && openReason(deps, confirmation.id, rejectReason),
    createdAt: confirmation.createdAt,
    expiresAt: confirmation.expiresAt,
    // No row is written when a confirmation expires, so the stored time would be too early.
    updatedAt: status === 'expired' ? confirmation.expiresAt : confirmation.updatedAt,
  }
}
