import type { KeyAlgorithm } from '@countersign/contract'
import type { Instant } from '../../shared/clock.ts'
import type { SignedForm } from '../../shared/crypto/device-signature.ts'
import type { SealedField } from '../../shared/crypto/field-encryption.ts'

/**
 * The signature by which a device proved at its registration that it had the announced key. Stored in the transaction of the
 * registration and never changed. The evidence stays if the device is removed, until the user is erased.
 */
export interface RegistrationEvidence {
  readonly deviceId: string
  readonly userId: number
  /** The signed challenge. It covers `text`. */
  readonly challenge: string
  /** 64 bytes as padded base64; encrypted. */
  readonly nonce: SealedField
  /** The canonical JSON of the signed statement (`deviceRegistrationText`); encrypted. */
  readonly text: SealedField
  readonly algorithm: KeyAlgorithm
  /** The bytes of the signature as sent, in base64url. */
  readonly signature: string
  /** The signed bytes: the UTF-8 bytes of the challenge text, or the 64 bytes that the text encodes. */
  readonly over: SignedForm
  /** The registered key: SPKI in PEM. */
  readonly publicKey: string
  /** The SHA-256 thumbprint of the key (RFC 7638). */
  readonly keyThumbprint: string
  readonly registeredAt: Instant
}
