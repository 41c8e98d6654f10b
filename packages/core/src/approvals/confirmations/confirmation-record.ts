import type { ConfirmationStatus, KeyAlgorithm } from '@countersign/contract'
import type { Instant } from '../../shared/clock.ts'
import { erasedField } from '../../shared/crypto/field-encryption.ts'
import { type Confirmation, statusAt } from '../records/confirmation.ts'

/** A confirmation as an administrator sees it: who approved, when and with which device, and nothing of the content. */
export interface ConfirmationRecord {
  readonly id: string
  readonly userId: number
  /** `null` for a confirmation without a scope. */
  readonly scope: string | null
  readonly actionType: string
  /** `null` for a built-in type. */
  readonly actionTypeVersion: string | null
  readonly status: ConfirmationStatus
  /** The service that asked; `null` if a session of the user asked. */
  readonly initiatedBy: string | null
  /** The approval request that the confirmation belongs to; `null` for a confirmation of its own. */
  readonly approvalId: string | null
  /** The device that approved. The row of a removed device stays as long as approvals do, so the id stays valid. */
  readonly deviceId: string | null
  /** The credential id of the passkey that approved. The passkey may have been removed since. */
  readonly passkeyId: string | null
  readonly approvedAt: Instant | null
  readonly signatureAlgorithm: KeyAlgorithm | null
  /** The SHA-256 thumbprint of the key of the device or passkey (RFC 7638). */
  readonly keyThumbprint: string | null
  readonly consumedAt: Instant | null
  readonly consumedBy: string | null
  readonly voidedAt: Instant | null
  /** The time at which who asked withdrew the confirmation; its status is `expired`. */
  readonly withdrawnAt: Instant | null
  /** True if the content was erased with the data of the user. */
  readonly erased: boolean
  readonly createdAt: Instant
  readonly expiresAt: Instant
  readonly updatedAt: Instant
}

/** Returns the record of a confirmation at `now`. Opens no encrypted field. */
export const toRecord = (confirmation: Confirmation, now: Instant): ConfirmationRecord => {
  const { evidence } = confirmation
  return {
    id: confirmation.id,
    userId: confirmation.userId,
    scope: confirmation.scope,
    actionType: confirmation.actionType,
    actionTypeVersion: confirmation.actionTypeVersion,
    status: statusAt(confirmation, now),
    initiatedBy: confirmation.initiatedBy,
    approvalId: confirmation.approvalId,
    deviceId: confirmation.deviceId,
    passkeyId: confirmation.passkeyId,
    approvedAt: evidence?.approvedAt ?? null,
    signatureAlgorithm: evidence?.algorithm ?? null,
    keyThumbprint: evidence?.keyThumbprint ?? null,
    consumedAt: confirmation.consumedAt,
    consumedBy: confirmation.consumedBy,
    voidedAt: confirmation.voidedAt,
    withdrawnAt: confirmation.withdrawnAt,
    erased: confirmation.payload === erasedField,
    createdAt: confirmation.createdAt,
    expiresAt: confirmation.expiresAt,
    updatedAt: confirmation.updatedAt,
  }
}
