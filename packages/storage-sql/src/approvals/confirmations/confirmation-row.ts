import type { Confirmation, Evidence } from '@countersign/core/storage'
import { recordMapping } from '../../shared/record-mapping.ts'
import type { Row } from '../../tables/index.ts'

const mapping = recordMapping(
  'confirmations',
  'id userId tenant boundTo:bound actionType actionTypeVersion payload nonce challenge statement approvalId delegatedBy',
  'requestedFrom requestedBy initiatedBy matchNumber wrongMatchNumbers status wrongSignatures deviceId passkeyId consumedAt',
  'consumedBy consumedKey consumedReceipt voidedAt withdrawnAt rejectReason createdAt expiresAt updatedAt',
)
const evidenceMapping = recordMapping(
  'confirmations',
  'signature algorithm=signature_algorithm over=signature_over approvedAt publicKey=device_public_key',
  'keyThumbprint=device_thumbprint',
)

export const { columns: settledColumns, toRecord: toSettled } = recordMapping(
  'confirmations',
  'id userId tenant boundTo:bound createdAt expiresAt',
)

export const evidenceColumns = [...evidenceMapping.columns, 'assertion'] as const
export const confirmationColumns = [...mapping.columns, ...evidenceColumns] as const

/** The columns of the evidence are null together. Only a passkey has an assertion. */
const noEvidence = { signature: null, algorithm: null, over: null, approvedAt: null, publicKey: null, keyThumbprint: null }

export const fromEvidence = (evidence: Evidence | null) => ({
  ...evidenceMapping.toRow(evidence ?? noEvidence),
  assertion: evidence?.assertion ? JSON.stringify(evidence.assertion) : null,
})

export const toConfirmation = (row: Row<'confirmations'>): Confirmation => {
  const assertion = row.assertion === null ? null : (JSON.parse(row.assertion) as Evidence['assertion'])
  const evidence = { ...evidenceMapping.toRecord(row), assertion }
  return {
    ...mapping.toRecord(row),
    evidence: evidence.signature === null ? null : (evidence as Evidence),
  }
}

export const fromConfirmation = (confirmation: Confirmation): Row<'confirmations'> => ({
  ...mapping.toRow(confirmation),
  ...fromEvidence(confirmation.evidence),
})
