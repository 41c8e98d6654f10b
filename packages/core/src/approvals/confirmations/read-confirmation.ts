import type { ConfirmationStatus } from '@countersign/contract'
import type { Displays } from '@countersign/contract/display'
import type { Instant } from '../../shared/clock.ts'
import type { SeenClient } from '../../shared/from-client.ts'
import type { ApprovalDeps } from '../deps.ts'
import { type Confirmation, statusAt } from '../records/confirmation.ts'
import { confirmationFields } from './sealed-fields.ts'
import { type SignedStatement, statementOf, statementsOf } from './statement.ts'

/** A confirmation as the user sees it, with its encrypted fields opened. */
export interface ConfirmationView {
  readonly id: string
  readonly userId: number
  /** One of the built-in types, or a registered action type. */
  readonly actionType: string
  /** The JSON of the payload, byte for byte as it was received. Parsing would reorder members with integer names. */
  readonly actionPayloadText: string
  /** The version of a registered action type; `null` for a built-in type. */
  readonly actionTypeVersion: string | null
  /** The words on the screen by language, as the device signs them. */
  readonly display: Displays
  readonly status: ConfirmationStatus
  readonly challenge: string
  readonly nonce: string
  /** The canonical JSON (RFC 8785) of the statement that the challenge covers. */
  readonly statementText: string
  /** The client that asked; `null` if none was recorded. */
  readonly requestedFrom: SeenClient | null
  /** True if an approval needs the number that the asking page shows. */
  readonly numberMatching: boolean
  /** The time at which who asked withdrew the confirmation; its status is `expired`. `null` for any other. */
  readonly withdrawnAt: Instant | null
  /** The reason of a rejection; `null` if there is none. */
  readonly reason: string | null
  readonly createdAt: Instant
  readonly expiresAt: Instant
  readonly updatedAt: Instant
}

/** Decrypts confirmations for their user, in the order given. @throws FieldNotOpened, DataErased */
export const viewsOf = async (
  deps: Pick<ApprovalDeps, 'storage' | 'encryptionKeys'>,
  confirmations: readonly Confirmation[],
  now: Instant,
): Promise<readonly ConfirmationView[]> => {
  const signed = await statementsOf(deps, deps.storage, confirmations)
  return signed.map((one, at) => toView(deps, confirmations[at] as Confirmation, one, now))
}

/** Decrypts one confirmation for its user. @throws FieldNotOpened, DataErased */
export const viewOf = async (
  deps: Pick<ApprovalDeps, 'storage' | 'encryptionKeys'>,
  confirmation: Confirmation,
  now: Instant,
): Promise<ConfirmationView> => toView(deps, confirmation, await statementOf(deps, deps.storage, confirmation), now)

const toView = (
  deps: Pick<ApprovalDeps, 'encryptionKeys'>,
  confirmation: Confirmation,
  { nonce, text, statement }: SignedStatement,
  now: Instant,
): ConfirmationView => {
  const status = statusAt(confirmation, now)
  const { requestedFrom, rejectReason, withdrawnAt } = confirmation
  return {
    id: confirmation.id,
    userId: confirmation.userId,
    actionType: confirmation.actionType,
    actionPayloadText: confirmationFields.payload.open(deps, confirmation.id, confirmation.payload).text,
    actionTypeVersion: confirmation.actionTypeVersion,
    display: statement.display,
    status,
    challenge: confirmation.challenge,
    nonce,
    statementText: text,
    requestedFrom: requestedFrom && confirmationFields.requestedFrom.open(deps, confirmation.id, requestedFrom),
    numberMatching: confirmation.matchNumber !== null,
    reason: rejectReason && confirmationFields.rejectReason.open(deps, confirmation.id, rejectReason),
    createdAt: confirmation.createdAt,
    expiresAt: confirmation.expiresAt,
    withdrawnAt,
    // No row is written when a confirmation expires, so the stored time would be too early.
    updatedAt: status === 'expired' && withdrawnAt === null ? confirmation.expiresAt : confirmation.updatedAt,
  }
}
