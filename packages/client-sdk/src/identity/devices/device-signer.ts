import type { KeyAlgorithm, Output } from '@countersign/contract'

/** The purpose of a signature, so that the prompt can show the purpose. */
export type SigningPurpose =
  | { readonly action: 'register' | 'login' }
  | { readonly action: 'approve'; readonly confirmation: PendingConfirmation }

/** Signs challenges with the key of a device, which never leaves the place where it was made. */
export interface DeviceSigner {
  /** Names the device for the service: at most 255 characters, the same for the whole life of the key. */
  readonly deviceFingerprint: string
  readonly keyAlgorithm: KeyAlgorithm
  /** Returns the public key: SPKI in PEM. */
  publicKey(): string | Promise<string>
  /** Signs the UTF-8 bytes of the challenge. Resolves with base64 or base64url; an ES256 signature is r‖s or DER. May reject. */
  sign(challenge: string, purpose: SigningPurpose): string | Promise<string>
}

/** A confirmation that waits for the signature of a device, as `client.confirmations.pending()` lists it. */
export type PendingConfirmation = Output<'confirmations.pending'>['confirmations'][number]
