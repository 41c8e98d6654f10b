import type { ConfirmationStatus, KeyAlgorithm } from '@countersign/contract'
import type { Instant } from '../../shared/clock.ts'
import type { SealedField } from '../../shared/crypto/field-encryption.ts'
import type { StatementDomain } from './confirmation-challenge.ts'

/** The final statuses that the database stores. `expired` is not stored: the clock decides it. */
export type SettledStatus = Exclude<ConfirmationStatus, 'pending' | 'expired'>

/** The signature that approved a confirmation, and the key that verifies it. Stored with the approval, and never changed. */
export interface Evidence {
  /** The bytes of the signature as sent, in base64url. */
  readonly signature: string
  readonly algorithm: KeyAlgorithm
  /** The signed bytes: the UTF-8 bytes of the challenge text, or the 64 bytes that the text encodes. */
  readonly over: 'text' | 'bytes'
  readonly approvedAt: Instant
  /** The public key of the device at the approval: SPKI in PEM. */
  readonly publicKey: string
  /** The SHA-256 thumbprint of the key (RFC 7638). */
  readonly keyThumbprint: string
}

/**
 * An action of a user that needs the signature of one of the user's devices. A confirmation is pending until the user approves
 * or rejects it. A confirmation that is still `pending` at `expiresAt` has expired.
 */
export interface Confirmation {
  /** `conf_` and a UUID. */
  readonly id: string
  readonly userId: number
  /** One of the built-in types, or a registered action type. */
  readonly actionType: string
  /** The version of a registered action type; `null` for a built-in type. */
  readonly actionTypeVersion: string | null
  /** The JSON of the payload, byte for byte as it was received; encrypted (`sealPayload`). */
  readonly payload: SealedField
  /** 64 random bytes as padded base64; encrypted (`sealNonce`). The challenge is computed from them. */
  readonly nonce: SealedField
  /** The challenge that the device signs. It covers the statement (`statementOf`). */
  readonly challenge: string
  /** The purpose of the signed statement. */
  readonly domain: StatementDomain
  /** JSON of the members that the statement has in addition to the members of version 1; encrypted (`sealStatementMembers`). */
  readonly statementMembers: SealedField | null
  /** The approval request that this confirmation belongs to; `null` for a confirmation of its own. */
  readonly approvalId: string | null
  /** The client that asked, as JSON of a `SeenClient`; encrypted (`sealOrigin`). `null` where none was recorded. */
  readonly requestedFrom: SealedField | null
  /** The session that asked; `null` for a confirmation that no session asked for. */
  readonly requestedBy: string | null
  /** The name of the service that asked, in lower case; `null` if no service asked. */
  readonly initiatedBy: string | null
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
  /** `null` until the approval, and for an approval before evidence was kept. */
  readonly evidence: Evidence | null
  /** The time at which the approval was consumed. An approval is consumed at most once. */
  readonly consumedAt: Instant | null
  /** The consumer, as named at the consumption. */
  readonly consumedBy: string | null
  /** The idempotency key of the consumption, if one was given. */
  readonly consumedKey: string | null
  /**
   * The receipt that the consumer got; encrypted (`sealReceipt`). A repeated consumption gets it again. `null` if the
   * consumption cannot be repeated, or if the host had no receipts.
   */
  readonly consumedReceipt: SealedField | null
  /**
   * The time at which an approval that was not consumed became void, because the account was locked or disabled, or after a
   * restore.
   */
  readonly voidedAt: Instant | null
  /** The reason for a rejection; encrypted (`sealReason`). */
  readonly rejectReason: SealedField | null
  readonly createdAt: Instant
  readonly expiresAt: Instant
  readonly updatedAt: Instant
}

/** Returns the status at `now`. A pending confirmation expires in the millisecond of `expiresAt`. */
export const statusAt = (confirmation: Pick<Confirmation, 'status' | 'expiresAt'>, now: Instant): ConfirmationStatus =>
  confirmation.status === 'pending' && now >= confirmation.expiresAt ? 'expired' : confirmation.status
