import type { KeyAlgorithm } from '@countersign/contract'
import type { Instant } from '../../shared/clock.ts'
import type { SignedForm } from '../../shared/crypto/device-signature.ts'
import { openField, type SealedField, sealField } from '../../shared/crypto/field-encryption.ts'
import type { FieldPlace } from '../../shared/crypto/sealed-columns.ts'
import type { IdentityDeps } from '../deps.ts'
import type { RegistrationEvidence } from './registration-evidence.ts'

const challengePlace = (challengeId: string): FieldPlace => ({ table: 'challenges', column: 'subject', row: challengeId })

/** Encrypts the nonce of a registration's challenge, given as base64. The field opens only in the row of this challenge. */
export const sealRegistrationNonce = (
  { encryptionKeys, random }: Pick<IdentityDeps, 'encryptionKeys' | 'random'>,
  challengeId: string,
  nonce: string,
): SealedField => sealField(encryptionKeys, random, challengePlace(challengeId), nonce)

/** Returns the nonce of a registration's challenge as base64. @throws FieldNotOpened */
export const openRegistrationNonce = (
  { encryptionKeys }: Pick<IdentityDeps, 'encryptionKeys'>,
  challengeId: string,
  sealed: SealedField,
): string => openField(encryptionKeys, challengePlace(challengeId), sealed)

/** The proof of possession of a registration, with its encrypted fields opened. */
export interface OpenedRegistration {
  readonly challenge: string
  readonly nonce: string
  readonly text: string
  readonly algorithm: KeyAlgorithm
  readonly signature: string
  readonly over: SignedForm
  readonly registeredAt: Instant
}

const noncePlace = (deviceId: string): FieldPlace => ({ table: 'device_registrations', column: 'nonce', row: deviceId })
const textPlace = (deviceId: string): FieldPlace => ({ table: 'device_registrations', column: 'statement', row: deviceId })

/** Encrypts the nonce and the statement of a registration. The fields open only in the row of this device. */
export const sealRegistration = (
  { encryptionKeys, random }: Pick<IdentityDeps, 'encryptionKeys' | 'random'>,
  deviceId: string,
  { nonce, text }: Pick<OpenedRegistration, 'nonce' | 'text'>,
): Pick<RegistrationEvidence, 'nonce' | 'text'> => ({
  nonce: sealField(encryptionKeys, random, noncePlace(deviceId), nonce),
  text: sealField(encryptionKeys, random, textPlace(deviceId), text),
})

/** Opens the encrypted fields of a registration. @throws FieldNotOpened */
export const openRegistration = (
  { encryptionKeys }: Pick<IdentityDeps, 'encryptionKeys'>,
  { deviceId, challenge, nonce, text, algorithm, signature, over, registeredAt }: RegistrationEvidence,
): OpenedRegistration => ({
  challenge,
  nonce: openField(encryptionKeys, noncePlace(deviceId), nonce),
  text: openField(encryptionKeys, textPlace(deviceId), text),
  algorithm,
  signature,
  over,
  registeredAt,
})
