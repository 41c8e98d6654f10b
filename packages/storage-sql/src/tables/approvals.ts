import type { Confirmation, SealedField, Vouching } from '@countersign/core/storage'
import type { Generated } from 'kysely'

/** The tables of approvals. See `Tables` for the form of the values. */
export interface ApprovalTables {
  confirmations: ConfirmationsTable
  vouchings: VouchingsTable
}

export interface ConfirmationsTable {
  id: string
  user_id: number
  action_type: Confirmation['actionType']
  payload: SealedField
  nonce: SealedField
  challenge: string
  requested_from: SealedField | null
  requested_by: string | null
  match_number: SealedField | null
  wrong_match_numbers: Generated<number>
  status: Confirmation['status']
  wrong_signatures: number
  device_id: string | null
  reject_reason: SealedField | null
  created_at: number
  expires_at: number
  updated_at: number
}

export interface VouchingsTable {
  user_id: number
  kind: Vouching['kind']
  subject_id: string
  registered_by: string | null
  confirmation_id: string | null
  started_by_registration: 0 | 1
  created_at: number
}
