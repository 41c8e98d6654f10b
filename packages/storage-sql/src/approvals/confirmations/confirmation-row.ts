import type { Confirmation, Evidence } from '@countersign/core/storage'
import type { Selectable } from 'kysely'
import type { ConfirmationsTable } from '../../tables/index.ts'

export const confirmationColumns = [
  'id',
  'user_id',
  'scope',
  'action_type',
  'action_type_version',
  'payload',
  'nonce',
  'challenge',
  'statement',
  'approval_id',
  'requested_from',
  'requested_by',
  'initiated_by',
  'match_number',
  'wrong_match_numbers',
  'status',
  'wrong_signatures',
  'device_id',
  'signature',
  'signature_algorithm',
  'signature_over',
  'approved_at',
  'device_public_key',
  'device_thumbprint',
  'consumed_at',
  'consumed_by',
  'consumed_key',
  'consumed_receipt',
  'voided_at',
  'withdrawn_at',
  'reject_reason',
  'created_at',
  'expires_at',
  'updated_at',
] as const satisfies readonly (keyof ConfirmationsTable)[]

/** The columns of the evidence are null together. */
const toEvidence = (row: Selectable<ConfirmationsTable>): Evidence | null => {
  const { signature, signature_algorithm: algorithm, signature_over: over, approved_at: approvedAt } = row
  const { device_public_key: publicKey, device_thumbprint: keyThumbprint } = row
  if (signature === null || algorithm === null || over === null || approvedAt === null) return null
  if (publicKey === null || keyThumbprint === null) return null
  return { signature, algorithm, over, approvedAt, publicKey, keyThumbprint }
}

export const fromEvidence = (evidence: Evidence | null) => ({
  signature: evidence?.signature ?? null,
  signature_algorithm: evidence?.algorithm ?? null,
  signature_over: evidence?.over ?? null,
  approved_at: evidence?.approvedAt ?? null,
  device_public_key: evidence?.publicKey ?? null,
  device_thumbprint: evidence?.keyThumbprint ?? null,
})

export const toConfirmation = (row: Selectable<ConfirmationsTable>): Confirmation => ({
  id: row.id,
  userId: row.user_id,
  scope: row.scope,
  actionType: row.action_type,
  actionTypeVersion: row.action_type_version,
  payload: row.payload,
  nonce: row.nonce,
  challenge: row.challenge,
  statement: row.statement,
  approvalId: row.approval_id,
  requestedFrom: row.requested_from,
  requestedBy: row.requested_by,
  initiatedBy: row.initiated_by,
  matchNumber: row.match_number,
  wrongMatchNumbers: row.wrong_match_numbers,
  status: row.status,
  wrongSignatures: row.wrong_signatures,
  deviceId: row.device_id,
  evidence: toEvidence(row),
  consumedAt: row.consumed_at,
  consumedBy: row.consumed_by,
  consumedKey: row.consumed_key,
  consumedReceipt: row.consumed_receipt,
  voidedAt: row.voided_at,
  withdrawnAt: row.withdrawn_at,
  rejectReason: row.reject_reason,
  createdAt: row.created_at,
  expiresAt: row.expires_at,
  updatedAt: row.updated_at,
})

export const fromConfirmation = (confirmation: Confirmation): Selectable<ConfirmationsTable> => ({
  id: confirmation.id,
  user_id: confirmation.userId,
  scope: confirmation.scope,
  action_type: confirmation.actionType,
  action_type_version: confirmation.actionTypeVersion,
  payload: confirmation.payload,
  nonce: confirmation.nonce,
  challenge: confirmation.challenge,
  statement: confirmation.statement,
  approval_id: confirmation.approvalId,
  requested_from: confirmation.requestedFrom,
  requested_by: confirmation.requestedBy,
  initiated_by: confirmation.initiatedBy,
  match_number: confirmation.matchNumber,
  wrong_match_numbers: confirmation.wrongMatchNumbers,
  status: confirmation.status,
  wrong_signatures: confirmation.wrongSignatures,
  device_id: confirmation.deviceId,
  ...fromEvidence(confirmation.evidence),
  consumed_at: confirmation.consumedAt,
  consumed_by: confirmation.consumedBy,
  consumed_key: confirmation.consumedKey,
  consumed_receipt: confirmation.consumedReceipt,
  voided_at: confirmation.voidedAt,
  withdrawn_at: confirmation.withdrawnAt,
  reject_reason: confirmation.rejectReason,
  created_at: confirmation.createdAt,
  expires_at: confirmation.expiresAt,
  updated_at: confirmation.updatedAt,
})
