import { openField, type SealedField, sealField } from '../../shared/crypto/field-encryption.ts'
import type { IdentityDeps } from '../deps.ts'

const placeOf = (challengeId: string) => ({ table: 'challenges', column: 'subject', row: challengeId })

/** Encrypts the nonce of a registration's challenge, given as base64. The field opens only in the row of this challenge. */
export const sealRegistrationNonce = (
  { encryptionKeys, random }: Pick<IdentityDeps, 'encryptionKeys' | 'random'>,
  challengeId: string,
  nonce: string,
): SealedField => sealField(encryptionKeys, random, placeOf(challengeId), nonce)

/** Returns the nonce of a registration's challenge as base64. @throws FieldNotOpened */
export const openRegistrationNonce = (
  { encryptionKeys }: Pick<IdentityDeps, 'encryptionKeys'>,
  challengeId: string,
  sealed: SealedField,
): string => openField(encryptionKeys, placeOf(challengeId), sealed)
