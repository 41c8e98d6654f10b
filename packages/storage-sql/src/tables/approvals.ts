import type {
  ActionTypeWithText,
  ApprovalRequest,
  Confirmation,
  Evidence,
  PublishedReceiptKey,
  Vouching,
} from '@countersign/core/storage'
import type { Generated } from 'kysely'
import type { Nullable, RowOf } from './row-of.ts'

/** The names of columns that differ from the names of the fields. */
interface EvidenceColumns {
  algorithm: 'signature_algorithm'
  over: 'signature_over'
  publicKey: 'device_public_key'
  keyThumbprint: 'device_thumbprint'
}

/** The tables of approvals. See `Tables` for the form of the values. */
export interface ApprovalTables {
  /** The columns of the evidence are null together. */
  confirmations: RowOf<Omit<Confirmation, 'evidence' | 'wrongMatchNumbers'>> &
    Nullable<RowOf<Omit<Evidence, 'assertion'>, EvidenceColumns>> & {
      wrong_match_numbers: Generated<number>
      /** JSON of the `ApprovalAssertion` of a passkey. */
      assertion: string | null
    }
  vouchings: RowOf<Vouching>
  push_windows: {
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
  /** `jwk` is the JSON of the public key as a JWK. */
  receipt_keys: RowOf<Omit<PublishedReceiptKey, 'jwk'>, { alg: 'algorithm' }> & { jwk: string }
  /** `display_text` is the JSON of the display definition. */
  action_types: RowOf<ActionTypeWithText>
  /** One row. */
  action_type_registry: { id: 1; version: number }
  approval_requests: RowOf<ApprovalRequest>
  /** The permissions whose later holders a request still asks. The request itself decides; these rows only find it. */
  wanted_permissions: {
    approval_id: string
    /** In the spelling of the users' lists. */
    permission: string
    expires_at: number
  }
  action_policies: {
    action_type: string
    /** Empty for the policy without a tenant. */
    tenant: string
    version: number
    /** JSON of the bands; `null` after a removal. */
    bands: string | null
  }
}
