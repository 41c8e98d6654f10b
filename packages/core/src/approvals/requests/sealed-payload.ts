import { openField, type SealedField, sealField } from '../../shared/crypto/field-encryption.ts'
import type { FieldPlace } from '../../shared/crypto/sealed-columns.ts'
import type { ApprovalDeps } from '../deps.ts'
import type { ApprovalRequest } from './approval-request.ts'

const payloadPlace = (id: string): FieldPlace => ({ table: 'approval_requests', column: 'payload', row: id })

/** Encrypts the JSON of a payload. The field opens only in the row of this request. */
export const sealRequestPayload = (
  { encryptionKeys, random }: Pick<ApprovalDeps, 'encryptionKeys' | 'random'>,
  id: string,
  payloadText: string,
): SealedField => sealField(encryptionKeys, random, payloadPlace(id), payloadText)

/** Returns the JSON of a payload. @throws FieldNotOpened */
export const openRequestPayload = (
  { encryptionKeys }: Pick<ApprovalDeps, 'encryptionKeys'>,
  { id, payload }: Pick<ApprovalRequest, 'id' | 'payload'>,
): string => openField(encryptionKeys, payloadPlace(id), payload)
