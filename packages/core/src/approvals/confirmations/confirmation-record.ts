import type { ConfirmationStatus, KeyAlgorithm } from '@countersign/contract'
import type { Instant } from '../../shared/clock.ts'
import { erasedField } from '../../shared/crypto/field-encryption.ts'
import { pick } from '../../shared/pick.ts'
import { type Confirmation, statusAt } from '../records/confirmation.ts'

const request = ['id', 'userId', 'tenant', 'actionType', 'actionTypeVersion', 'initiatedBy', 'approvalId'] as const
const key = ['deviceId', 'passkeyId'] as const
const history = ['consumedAt', 'consumedBy', 'voidedAt', 'withdrawnAt', 'createdAt', 'expiresAt', 'updatedAt'] as const

/** A confirmation as an administrator sees it: who approved, when and with which device, and nothing of the content. */
export interface ConfirmationRecord extends Pick<Confirmation, (typeof request | typeof key | typeof history)[number]> {
  readonly status: ConfirmationStatus
  readonly approvedAt: Instant | null
  readonly signatureAlgorithm: KeyAlgorithm | null
  /** The SHA-256 thumbprint of the key of the device or passkey (RFC 7638). */
  readonly keyThumbprint: string | null
  /** True if the content was erased with the data of the user. */
  readonly erased: boolean
}

/** Returns the record of a confirmation at `now`. Decrypts no field. */
export const toRecord = (confirmation: Confirmation, now: Instant): ConfirmationRecord => ({
  ...pick(confirmation, [...request, ...key, ...history]),
  status: statusAt(confirmation, now),
  approvedAt: confirmation.evidence?.approvedAt ?? null,
  signatureAlgorithm: confirmation.evidence?.algorithm ?? null,
  keyThumbprint: confirmation.evidence?.keyThumbprint ?? null,
  erased: confirmation.payload === erasedField,
})
