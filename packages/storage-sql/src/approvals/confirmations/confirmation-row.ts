import { boundText, type Confirmation, type Evidence, type SettledConfirmation } from '@countersign/core/storage'
import type { Selectable } from 'kysely'
import { toBound } from '../../identity/bound.ts'
import { recordMapping } from '../../shared/record-mapping.ts'
import type { ConfirmationsTable } from '../../tables/index.ts'

const mapping = recordMapping(
  'id userId tenant actionType actionTypeVersion payload nonce challenge statement approvalId delegatedBy requestedFrom',
  'requestedBy initiatedBy matchNumber wrongMatchNumbers status wrongSignatures deviceId passkeyId consumedAt consumedBy',
  'consumedKey consumedReceipt voidedAt withdrawnAt rejectReason createdAt expiresAt updatedAt',
)
const evidenceMapping = recordMapping(
  'signature algorithm=signature_algorithm over=signature_over assertion approvedAt publicKey=device_public_key',
  'keyThumbprint=device_thumbprint',
)

const settledMapping = recordMapping('id userId tenant createdAt expiresAt')
export const settledColumns = [...settledMapping.columns, 'bound_to'] as const

export const toSettled = (row: Pick<Selectable<ConfirmationsTable>, (typeof settledColumns)[number]>): SettledConfirmation => ({
  ...settledMapping.toRecord(row),
  boundTo: toBound(row.bound_to),
})

export const evidenceColumns = evidenceMapping.columns
export const confirmationColumns = [...mapping.columns, 'bound_to', ...evidenceColumns] as const

/** The columns of the evidence are null together. Only a passkey has an assertion. */
const noEvidence = { signature: null, algorithm: null, over: null, approvedAt: null, publicKey: null, keyThumbprint: null }

export const fromEvidence = (evidence: Evidence | null) => ({
  ...evidenceMapping.toRow({ ...(evidence ?? noEvidence), assertion: null }),
  assertion: evidence?.assertion ? JSON.stringify(evidence.assertion) : null,
})

export const toConfirmation = (row: Selectable<ConfirmationsTable>): Confirmation => {
  const assertion = row.assertion === null ? null : (JSON.parse(row.assertion) as Evidence['assertion'])
  const evidence = { ...evidenceMapping.toRecord(row), assertion }
  return {
    ...mapping.toRecord(row),
    boundTo: toBound(row.bound_to),
    evidence: evidence.signature === null ? null : (evidence as Evidence),
  }
}

export const fromConfirmation = (confirmation: Confirmation): Selectable<ConfirmationsTable> => ({
  ...mapping.toRow(confirmation),
  bound_to: boundText(confirmation.boundTo),
  ...fromEvidence(confirmation.evidence),
})
