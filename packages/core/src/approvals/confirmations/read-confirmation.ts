import type { ConfirmationStatus } from '@countersign/contract'
import type { Display } from '@countersign/contract/display'
import type { Instant } from '../../shared/clock.ts'
import type { SeenClient } from '../../shared/from-client.ts'
import type { ApprovalDeps } from '../deps.ts'
import { type Confirmation, statusAt } from '../records/confirmation.ts'
import type { StatementDomain } from '../records/confirmation-challenge.ts'
import { confirmationFields } from './sealed-fields.ts'
import { statementMembersOf } from './statement.ts'

/** The members that the statement of an approval request has in addition to the members of the action. */
export interface ApprovalMembers {
  readonly approvalId: string
  /** The user id of the requester. */
  readonly requestedBy: number
  /** The approvals that the request needs. */
  readonly count: number
}

const toApprovalMembers = (deps: Pick<ApprovalDeps, 'encryptionKeys'>, confirmation: Confirmation): ApprovalMembers | null => {
  if (confirmation.approvalId === null) return null
  const { approvalId, requestedBy, count } = statementMembersOf(deps, confirmation) as unknown as ApprovalMembers
  return { approvalId, requestedBy, count }
}

/** A confirmation as the user sees it, with its encrypted fields opened. */
export interface ConfirmationView {
  readonly id: string
  readonly userId: number
  /** One of the built-in types, or a registered action type. */
  readonly actionType: string
  /** The JSON of the payload, byte for byte as it was received. Parsing would reorder members with integer names. */
  readonly actionPayloadText: string
  /** 2 for a registered action type, whose statement has the version of the type and the display. */
  readonly statementVersion: 1 | 2
  /** The version of a registered action type; `null` for a built-in type. */
  readonly actionTypeVersion: string | null
  /** The words on the screen by language, as the device signs them; `null` for a built-in type. */
  readonly display: Readonly<Record<string, Display>> | null
  readonly status: ConfirmationStatus
  readonly challenge: string
  readonly nonce: string
  /** The purpose of the signed statement. */
  readonly domain: StatementDomain
  /** The members that the statement has for an approval request; `null` for any other confirmation. */
  readonly approval: ApprovalMembers | null
  /** The client that asked; `null` where none was recorded. */
  readonly requestedFrom: SeenClient | null
  /** True if an approval needs the number that the asking page shows. */
  readonly numberMatching: boolean
  /** The reason of a rejection; `null` if there is none. */
  readonly reason: string | null
  readonly createdAt: Instant
  readonly expiresAt: Instant
  readonly updatedAt: Instant
}

const toShown = (
  deps: Pick<ApprovalDeps, 'encryptionKeys'>,
  confirmation: Confirmation,
): Pick<ConfirmationView, 'statementVersion' | 'actionTypeVersion' | 'display'> => {
  const { actionTypeVersion } = confirmation
  if (actionTypeVersion === null) return { statementVersion: 1, actionTypeVersion, display: null }
  const { display } = statementMembersOf(deps, confirmation) as { readonly display: Readonly<Record<string, Display>> }
  return { statementVersion: 2, actionTypeVersion, display }
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
    actionPayloadText: confirmationFields.payload.open(deps, confirmation.id, confirmation.payload),
    ...toShown(deps, confirmation),
    status,
    challenge: confirmation.challenge,
    nonce: confirmationFields.nonce.open(deps, confirmation.id, confirmation.nonce),
    domain: confirmation.domain,
    approval: toApprovalMembers(deps, confirmation),
    requestedFrom: requestedFrom && confirmationFields.requestedFrom.open(deps, confirmation.id, requestedFrom),
    numberMatching: confirmation.matchNumber !== null,
    reason: rejectReason && confirmationFields.rejectReason.open(deps, confirmation.id, rejectReason),
    createdAt: confirmation.createdAt,
    expiresAt: confirmation.expiresAt,
    // No row is written when a confirmation expires, so the stored time would be too early.
    updatedAt: status === 'expired' ? confirmation.expiresAt : confirmation.updatedAt,
  }
}
