import { sealedColumnsOf } from '../shared/crypto/field-encryption.ts'

export const approvalColumns = {
  confirmations: ['payload', 'nonce', 'requested_from', 'match_number', 'reject_reason', 'statement', 'consumed_receipt'],
  approval_requests: ['payload', 'display', 'terms'],
} as const

export const { sealedColumn, sealedJson } = sealedColumnsOf<typeof approvalColumns>()
