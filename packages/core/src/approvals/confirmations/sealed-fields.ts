import { isSealedField, openField, type SealedField, sealField } from '../../shared/crypto/field-encryption.ts'
import type { ApprovalDeps } from '../deps.ts'
import type { ClearNonce } from './confirmation.ts'

const payloadPlace = (id: string) => ({ table: 'confirmations', column: 'payload', row: id })
const noncePlace = (id: string) => ({ table: 'confirmations', column: 'nonce', row: id })
const reasonPlace = (id: string) => ({ table: 'confirmations', column: 'reject_reason', row: id })

type Sealing = Pick<ApprovalDeps, 'encryptionKeys' | 'random'>

/** Encrypts a payload's JSON, bound to its confirmation's row. */
export const sealPayload = ({ encryptionKeys, random }: Sealing, id: string, payloadText: string): SealedField =>
  sealField(encryptionKeys, random, payloadPlace(id), payloadText)

/** @throws FieldNotOpened */
export const openPayload = ({ encryptionKeys }: Pick<ApprovalDeps, 'encryptionKeys'>, id: string, sealed: SealedField): string =>
  openField(encryptionKeys, payloadPlace(id), sealed)

/** Encrypts a confirmation's nonce, given as base64, bound to its row. */
export const sealNonce = ({ encryptionKeys, random }: Sealing, id: string, nonce: string): SealedField =>
  sealField(encryptionKeys, random, noncePlace(id), nonce)

/** Returns a confirmation's nonce as base64. @throws FieldNotOpened */
export const openNonce = (
  { encryptionKeys }: Pick<ApprovalDeps, 'encryptionKeys'>,
  id: string,
  nonce: SealedField | ClearNonce,
): string => (isSealedField(nonce) ? openField(encryptionKeys, noncePlace(id), nonce) : nonce)

/** Encrypts why a confirmation was rejected, bound to its row. */
export const sealReason = ({ encryptionKeys, random }: Sealing, id: string, reason: string): SealedField =>
  sealField(encryptionKeys, random, reasonPlace(id), reason)
