import { openField, type SealedField, sealField } from '../../shared/crypto/field-encryption.ts'
import type { ApprovalDeps } from '../deps.ts'

const payloadPlace = (id: string) => ({ table: 'confirmations', column: 'payload', row: id })
const noncePlace = (id: string) => ({ table: 'confirmations', column: 'nonce', row: id })
const reasonPlace = (id: string) => ({ table: 'confirmations', column: 'reject_reason', row: id })

type Sealing = Pick<ApprovalDeps, 'encryptionKeys' | 'random'>

/** Encrypts the JSON of a payload. The field opens only in the row of this confirmation. */
export const sealPayload = ({ encryptionKeys, random }: Sealing, id: string, payloadText: string): SealedField =>
  sealField(encryptionKeys, random, payloadPlace(id), payloadText)

/** Returns the JSON of a payload. @throws FieldNotOpened */
export const openPayload = ({ encryptionKeys }: Pick<ApprovalDeps, 'encryptionKeys'>, id: string, sealed: SealedField): string =>
  openField(encryptionKeys, payloadPlace(id), sealed)

/** Encrypts a nonce, given as base64. The field opens only in the row of this confirmation. */
export const sealNonce = ({ encryptionKeys, random }: Sealing, id: string, nonce: string): SealedField =>
  sealField(encryptionKeys, random, noncePlace(id), nonce)

/** Returns a nonce as base64. @throws FieldNotOpened */
export const openNonce = ({ encryptionKeys }: Pick<ApprovalDeps, 'encryptionKeys'>, id: string, nonce: SealedField): string =>
  openField(encryptionKeys, noncePlace(id), nonce)

/** Encrypts the reason of a rejection. The field opens only in the row of this confirmation. */
export const sealReason = ({ encryptionKeys, random }: Sealing, id: string, reason: string): SealedField =>
  sealField(encryptionKeys, random, reasonPlace(id), reason)
