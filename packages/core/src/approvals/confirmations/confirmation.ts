import type { ActionType, ConfirmationStatus } from '@countersign/contract'
import type { Instant } from '../../shared/clock.ts'
import type { SealedField } from '../../shared/crypto/field-encryption.ts'

/** The final statuses that the database stores. `expired` is not stored: the clock decides it. */
export type SettledStatus = Exclude<ConfirmationStatus, 'pending' | 'expired'>

/**
 * An action of a user that needs the signature of one of the user's devices. A confirmation is pending until the user approves
 * or rejects it. A confirmation that is still `pending` at `expiresAt` has expired.
 */
export interface Confirmation {
  /** `conf_` and a UUID. */
  readonly id: string
  readonly userId: number
  readonly actionType: ActionType
  /** The JSON of the payload, byte for byte as it was received; encrypted (`sealPayload`). */
  readonly payload: SealedField
  /** 64 random bytes as padded base64; encrypted (`sealNonce`). The challenge is computed from them. */
  readonly nonce: SealedField
  /** See `confirmationChallenge`. */
  readonly challenge: string
  /** The client that asked, as JSON of a `SeenClient`; encrypted (`sealOrigin`). `null` where none was recorded. */
  readonly requestedFrom: SealedField | null
  /** The session that asked; `null` for a confirmation that the service itself created. */
  readonly requestedBy: string | null
  /**
   * The number that the asking page shows and that the user types on the device; encrypted (`sealMatchNumber`). `null` for a
   * confirmation without number matching.
   */
  readonly matchNumber: SealedField | null
  readonly wrongMatchNumbers: number
  readonly status: 'pending' | SettledStatus
  readonly wrongSignatures: number
  /** The device that approved. */
  readonly deviceId: string | null
  /** The reason for a rejection; encrypted (`sealReason`). */
  readonly rejectReason: SealedField | null
  readonly createdAt: Instant
  readonly expiresAt: Instant
  readonly updatedAt: Instant
}

/** Returns the status at `now`. A pending confirmation expires in the millisecond of `expiresAt`. */
export const statusAt = (confirmation: Pick<Confirmation, 'status' | 'expiresAt'>, now: Instant): ConfirmationStatus =>
  confirmation.status === 'pending' && now >= confirmation.expiresAt ? 'expired' : confirmation.status
