import type { ActionType, ConfirmationStatus } from '@countersign/contract'
import type { Instant } from '../../shared/clock.ts'
import type { SealedField } from '../../shared/crypto/field-encryption.ts'

/** What stands in the database; that a pending one has expired is read off the clock. */
export type SettledStatus = Exclude<ConfirmationStatus, 'pending' | 'expired'>

/** The nonce of a confirmation from a version that did not encrypt nonces, until `sealClearNonces` has encrypted it. */
export type ClearNonce = string & { readonly __brand: 'ClearNonce' }

/**
 * An action of a user's that waits for the signature of one of their devices, or was settled. `createdAt`, `expiresAt` and
 * `updatedAt` are milliseconds since 1970; one that is still `pending` then has expired from `expiresAt` on.
 */
export interface Confirmation {
  /** `conf_` and a UUID. */
  readonly id: string
  readonly userId: number
  readonly actionType: ActionType
  /** The payload's JSON as it was received, encrypted (`sealPayload`). */
  readonly payload: SealedField
  /** 64 random bytes as padded base64, which the challenge commits to; encrypted (`sealNonce`). */
  readonly nonce: SealedField | ClearNonce
  /** See `confirmationChallenge`. */
  readonly challenge: string
  readonly status: 'pending' | SettledStatus
  readonly wrongSignatures: number
  /** The device that approved. */
  readonly deviceId: string | null
  /** Why it was rejected, encrypted (`sealReason`). */
  readonly rejectReason: SealedField | null
  readonly createdAt: Instant
  readonly expiresAt: Instant
  readonly updatedAt: Instant
}

/** The status as of `now`: an unsettled confirmation has expired from the very millisecond of `expiresAt`. */
export const statusAt = (confirmation: Pick<Confirmation, 'status' | 'expiresAt'>, now: Instant): ConfirmationStatus =>
  confirmation.status === 'pending' && now >= confirmation.expiresAt ? 'expired' : confirmation.status
