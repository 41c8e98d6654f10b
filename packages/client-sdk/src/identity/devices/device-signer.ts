import type { KeyAlgorithm } from '@countersign/contract'
import type { PendingConfirmation } from '../../shared/pending-confirmation.ts'

/** What a signature is asked for, so that the prompt for a finger or a face can say so. */
export type SigningPurpose =
  | { readonly action: 'register' | 'login' }
  | { readonly action: 'approve'; readonly confirmation: PendingConfirmation }

/**
 * A device key: it signs, and its private half never leaves the place that it was made in. The client asks it for nothing
 * but signatures of challenges.
 */
export interface DeviceSigner {
  /** Names the device towards the service: at most 255 characters, the same for as long as the key lives. */
  readonly deviceFingerprint: string
  readonly keyAlgorithm: KeyAlgorithm
  /** The public half: SPKI in PEM. */
  publicKey(): string | Promise<string>
  /**
   * Signs the UTF-8 bytes of the challenge's text, and gives the signature as base64 or base64url; one of ES256 as r‖s or
   * DER. What it rejects with, where the person declines say, is what the call rejects with.
   */
  sign(challenge: string, purpose: SigningPurpose): string | Promise<string>
}
