import type { SeenClient } from '../../identity/login/from-client.ts'
import { openField, type SealedField, sealField } from '../../shared/crypto/field-encryption.ts'
import type { FieldPlace } from '../../shared/crypto/sealed-columns.ts'
import type { ApprovalDeps } from '../deps.ts'
import type { StatementMembers } from './confirmation-challenge.ts'

const payloadPlace = (id: string): FieldPlace => ({ table: 'confirmations', column: 'payload', row: id })
const noncePlace = (id: string): FieldPlace => ({ table: 'confirmations', column: 'nonce', row: id })
const originPlace = (id: string): FieldPlace => ({ table: 'confirmations', column: 'requested_from', row: id })
const matchNumberPlace = (id: string): FieldPlace => ({ table: 'confirmations', column: 'match_number', row: id })
const reasonPlace = (id: string): FieldPlace => ({ table: 'confirmations', column: 'reject_reason', row: id })
const receiptPlace = (id: string): FieldPlace => ({ table: 'confirmations', column: 'consumed_receipt', row: id })
const membersPlace = (id: string): FieldPlace => ({ table: 'confirmations', column: 'statement_members', row: id })

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

/** Encrypts the further members of a statement. The field opens only in the row of this confirmation. */
export const sealStatementMembers = ({ encryptionKeys, random }: Sealing, id: string, members: StatementMembers): SealedField =>
  sealField(encryptionKeys, random, membersPlace(id), JSON.stringify(members))

/** Returns the further members of a statement. @throws FieldNotOpened */
export const openStatementMembers = (
  { encryptionKeys }: Pick<ApprovalDeps, 'encryptionKeys'>,
  id: string,
  sealed: SealedField,
): StatementMembers => JSON.parse(openField(encryptionKeys, membersPlace(id), sealed)) as StatementMembers

/** Encrypts the receipt that a consumer got. The field opens only in the row of this confirmation. */
export const sealReceipt = ({ encryptionKeys, random }: Sealing, id: string, receipt: string): SealedField =>
  sealField(encryptionKeys, random, receiptPlace(id), receipt)

/** Returns the receipt that a consumer got. @throws FieldNotOpened */
export const openReceipt = ({ encryptionKeys }: Pick<ApprovalDeps, 'encryptionKeys'>, id: string, sealed: SealedField): string =>
  openField(encryptionKeys, receiptPlace(id), sealed)

/** Encrypts the reason of a rejection. The field opens only in the row of this confirmation. */
export const sealReason = ({ encryptionKeys, random }: Sealing, id: string, reason: string): SealedField =>
  sealField(encryptionKeys, random, reasonPlace(id), reason)

/** Returns the reason of a rejection. @throws FieldNotOpened */
export const openReason = ({ encryptionKeys }: Pick<ApprovalDeps, 'encryptionKeys'>, id: string, sealed: SealedField): string =>
  openField(encryptionKeys, reasonPlace(id), sealed)

/** Encrypts the client that asked for a confirmation. The field opens only in the row of this confirmation. */
export const sealOrigin = ({ encryptionKeys, random }: Sealing, id: string, origin: SeenClient): SealedField =>
  sealField(encryptionKeys, random, originPlace(id), JSON.stringify(origin))

/** Returns the client that asked for a confirmation. @throws FieldNotOpened */
export const openOrigin = (
  { encryptionKeys }: Pick<ApprovalDeps, 'encryptionKeys'>,
  id: string,
  sealed: SealedField,
): SeenClient => JSON.parse(openField(encryptionKeys, originPlace(id), sealed)) as SeenClient

/** Encrypts the number of a confirmation. The field opens only in the row of this confirmation. */
export const sealMatchNumber = ({ encryptionKeys, random }: Sealing, id: string, matchNumber: string): SealedField =>
  sealField(encryptionKeys, random, matchNumberPlace(id), matchNumber)

/** Returns the number of a confirmation. @throws FieldNotOpened */
export const openMatchNumber = (
  { encryptionKeys }: Pick<ApprovalDeps, 'encryptionKeys'>,
  id: string,
  sealed: SealedField,
): string => openField(encryptionKeys, matchNumberPlace(id), sealed)
