import { sealedColumnsOf } from '../shared/crypto/field-encryption.ts'

/** The columns of approvals with encrypted fields, by table. */
export const approvalColumns = {
  confirmations: ['payload', 'nonce', 'requested_from', 'match_number', 'reject_reason', 'statement', 'consumed_receipt'],
  approval_requests: ['payload', 'display', 'terms'],
} as const

export const { sealedColumn, sealedJson } = sealedColumnsOf<typeof approvalColumns>()
