import type { SealedField } from '@countersign/core/storage'
import type { ApprovalRequest, Confirmation, Evidence, PublishedReceiptKey, Vouching } from '@countersign/core/types'
import type { Generated } from 'kysely'

/** The tables of approvals. See `Tables` for the form of the values. */
export interface ApprovalTables {
  confirmations: ConfirmationsTable
  vouchings: VouchingsTable
  push_windows: PushWindowsTable
  receipt_keys: ReceiptKeysTable
  action_types: ActionTypesTable
  action_type_registry: ActionTypeRegistryTable
  approval_requests: ApprovalRequestsTable
  wanted_permissions: WantedPermissionsTable
  action_policies: ActionPoliciesTable
}

/** The permissions whose later holders a request still asks. The request itself decides; these rows only find it. */
export interface WantedPermissionsTable {
  approval_id: string
  /** As the list of a user spells it. */
  permission: string
  expires_at: number
}

export interface PushWindowsTable {
  user_id: number
  ends_at: number
  /** The number of confirmations that wait for the end of the window. */
  waiting: number
  /** The number of confirmations that the message at the beginning of the window announced. */
  told: number
  /** The newest confirmation, with its type and its expiry. */
  confirmation_id: string
  action_type: string
  expires_at: number
}

export interface ConfirmationsTable {
  id: string
  user_id: number
  scope: string | null
  action_type: string
  action_type_version: string | null
  payload: SealedField
  nonce: SealedField
  challenge: string
  statement: SealedField
  approval_id: string | null
  delegated_by: number | null
  requested_from: SealedField | null
  requested_by: string | null
  initiated_by: string | null
  match_number: SealedField | null
  wrong_match_numbers: Generated<number>
  status: Confirmation['status']
  wrong_signatures: number
  device_id: string | null
  passkey_id: string | null
  signature: string | null
  signature_algorithm: Evidence['algorithm'] | null
  signature_over: Evidence['over'] | null
  /** JSON of the `ApprovalAssertion` of a passkey. */
  assertion: string | null
  approved_at: number | null
  device_public_key: string | null
  device_thumbprint: string | null
  consumed_at: number | null
  consumed_by: string | null
  consumed_key: string | null
  consumed_receipt: SealedField | null
  voided_at: number | null
  withdrawn_at: number | null
  reject_reason: SealedField | null
  created_at: number
  expires_at: number
  updated_at: number
}

export interface ActionTypesTable {
  key: string
  type: string
  version: string
  title: string
  active: 0 | 1
  required_fields: string
  registered_at: number
  schema_text: string
  /** JSON of the display definition. */
  display_text: string
}

/** One row. */
export interface ActionTypeRegistryTable {
  id: 1
  version: number
}

export interface ReceiptKeysTable {
  kid: string
  algorithm: PublishedReceiptKey['alg']
  /** JSON of the public key as a JWK. */
  jwk: string
  active_from: number
  retired_at: number | null
  revoked_at: number | null
  revoked_reason: string | null
}

export interface ApprovalRequestsTable {
  id: string
  requested_by: number
  /** The session in which the requester asked; `null` if no session is known. */
  requested_in: string | null
  scope: string | null
  action_type: string
  payload: SealedField
  display: SealedField
  terms: SealedField
  count: number
  status: ApprovalRequest['status']
  created_at: number
  expires_at: number
  redeemed_at: number | null
  redeemed_by: string | null
  redeemed_key: string | null
  withdrawn_at: number | null
}

export interface ActionPoliciesTable {
  action_type: string
  /** Empty for the policy without a scope. */
  scope: string
  version: number
  /** JSON of the bands; `null` after a removal. */
  bands: string | null
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
