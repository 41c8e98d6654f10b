import type {
  ActionTypeWithText,
  ApprovalRequest,
  Confirmation,
  Evidence,
  PublishedReceiptKey,
  Vouching,
} from '@countersign/core/storage'
import type { Generated } from 'kysely'
import type { Nullable, RowOf } from '../shared/record-mapping.ts'

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
  /** In the spelling of the users' lists. */
  permission: string
  expires_at: number
}

export interface PushWindowsTable {
  user_id: number
  /** Empty for devices that are not bound. */
  tenants: string
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

/** The columns of the evidence are null together. */
export interface ConfirmationsTable
  extends RowOf<Omit<Confirmation, 'evidence' | 'wrongMatchNumbers'>>,
    Nullable<
      RowOf<
        Omit<Evidence, 'assertion'>,
        {
          algorithm: 'signature_algorithm'
          over: 'signature_over'
          publicKey: 'device_public_key'
          keyThumbprint: 'device_thumbprint'
        }
      >
    > {
  wrong_match_numbers: Generated<number>
  /** JSON of the `ApprovalAssertion` of a passkey. */
  assertion: string | null
}

/** `display_text` is the JSON of the display definition. */
export type ActionTypesTable = RowOf<ActionTypeWithText>

/** One row. */
export interface ActionTypeRegistryTable {
  id: 1
  version: number
}

/** `jwk` is the JSON of the public key as a JWK. */
export interface ReceiptKeysTable extends RowOf<Omit<PublishedReceiptKey, 'jwk'>, { alg: 'algorithm' }> {
  jwk: string
}

export type ApprovalRequestsTable = RowOf<ApprovalRequest>

export interface ActionPoliciesTable {
  action_type: string
  /** Empty for the policy without a tenant. */
  tenant: string
  version: number
  /** JSON of the bands; `null` after a removal. */
  bands: string | null
}

export type VouchingsTable = RowOf<Vouching>
