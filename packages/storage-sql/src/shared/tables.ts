import type {
  Challenge,
  Confirmation,
  Device,
  Expense,
  OneTimeCode,
  Passkey,
  Project,
  Resource,
  SealedField,
  Session,
  Vouching,
} from '@countersign/core/storage'
import type { Generated } from 'kysely'

/**
 * The rows of every table, in the form that all databases share: instants are milliseconds in 64-bit integers, JSON is text with
 * its members in order, ids that the database does not count are text, and booleans are 1 or 0.
 */
export interface Tables {
  users: UsersTable
  sessions: SessionsTable
  login_failures: LoginFailuresTable
  login_ceilings: LoginCeilingsTable
  devices: DevicesTable
  user_handles: UserHandlesTable
  passkeys: PasskeysTable
  decoy_profiles: DecoyProfilesTable
  challenges: ChallengesTable
  one_time_codes: OneTimeCodesTable
  confirmations: ConfirmationsTable
  vouchings: VouchingsTable
  service_tokens: ServiceTokensTable
  rate_limits: RateLimitsTable
  rate_limit_hits: RateLimitHitsTable
  changes: ChangesTable
  customers: CustomersTable
  projects: ProjectsTable
  products: ProductsTable
  project_participants: ProjectParticipantsTable
  project_numbers: ProjectNumbersTable
  project_counts: ProjectCountsTable
  project_lists: ProjectListsTable
  resources: ResourcesTable
  staged_resources: ResourcesTable & Staged
  expenses: ExpensesTable
  staged_expenses: ExpensesTable & Staged
  product_schemas: ProductSchemasTable
  product_schema_registry: ProductSchemaRegistryTable
}

/** The names of all tables. The compiler reports a missing one. */
export const tableNames: readonly string[] = Object.keys({
  users: true,
  sessions: true,
  login_failures: true,
  login_ceilings: true,
  devices: true,
  challenges: true,
  one_time_codes: true,
  confirmations: true,
  vouchings: true,
  service_tokens: true,
  rate_limits: true,
  rate_limit_hits: true,
  changes: true,
  customers: true,
  projects: true,
  products: true,
  project_participants: true,
  project_numbers: true,
  project_counts: true,
  project_lists: true,
  resources: true,
  staged_resources: true,
  expenses: true,
  staged_expenses: true,
  product_schemas: true,
  product_schema_registry: true,
  passkeys: true,
  decoy_profiles: true,
  user_handles: true,
} satisfies Record<keyof Tables, true>)

export interface UsersTable {
  id: Generated<number>
  directory_id: string | null
  email: string
  name: string
  employee_id: string
  employee_name: string
  employee_avatar_file_id: string
  department_id: string
  department_name: string
  /** A JSON array of strings. */
  permissions: string
  password_hash: string | null
  disabled_at: number | null
  locked_at: number | null
  version: number
  created_at: number
  updated_at: number
}

export interface SessionsTable {
  id: string
  user_id: number
  kind: Session['kind']
  auth_method: Session['authMethod']
  device_id: string | null
  passkey_id: string | null
  user_verified: 0 | 1
  remember_me: 0 | 1
  opened_from: SealedField | null
  created_at: number
  last_used_at: number
  refresh_token_id: string
  previous_refresh_token_id: string | null
  rotated_at: number
  refresh_expires_at: number
  ended_at: number | null
  end_reason: Session['endReason']
}

export interface LoginFailuresTable {
  /** The digest of an account and a client address. */
  account: string
  count: number
  last_at: number
  known_until: Generated<number>
}

export interface LoginCeilingsTable {
  account: string
  full_at: number
}

export interface DevicesTable {
  id: string
  user_id: number
  name: string
  type: Device['deviceType']
  fingerprint: string
  public_key: string
  key_algorithm: Device['keyAlgorithm']
  push_token: SealedField | null
  last_used_at: number | null
  created_at: number
  updated_at: number
  /** Removed devices are kept for the record. */
  removed_at: number | null
  trusted_at: number | null
  /** 1 where the registration began a cooling-off period. */
  cooling_off: Generated<0 | 1>
}

export interface UserHandlesTable {
  user_id: number
  handle: string
}

export interface PasskeysTable {
  id: string
  user_id: number
  user_handle: string
  public_key: string
  algorithm: Passkey['algorithm']
  sign_count: number
  /** A JSON array of strings. */
  transports: string
  backup_eligible: 0 | 1
  backed_up: 0 | 1
  aaguid: string
  discoverable: 0 | 1 | null
  name: string
  created_at: number
  last_used_at: number | null
  trusted_at: number | null
  /** 1 where the registration began a cooling-off period. */
  cooling_off: Generated<0 | 1>
}

export interface DecoyProfilesTable {
  number: number
  taken_at: number
  /** JSON of `CredentialCounts`. */
  counts: string
}

export interface ChallengesTable {
  id: string
  purpose: Challenge['purpose']
  user_id: number | null
  challenge: string
  /** The subject as JSON. Its form depends on the purpose. */
  subject: string
  created_at: number
  expires_at: number
  /** The time at which a user's challenge was used. The row is kept for a day. */
  used_at: number | null
}

/** At most one row for each user and kind. A spent or voided code is deleted. */
export interface OneTimeCodesTable {
  user_id: number
  kind: OneTimeCode['kind']
  hash: string
  created_at: number
  expires_at: number
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

export interface ServiceTokensTable {
  id: string
  service: string
  /** A JSON array of strings. */
  scopes: string
  created_at: number
  expires_at: number
  revoked_at: number | null
}

/** The buckets of rate limits; see `rate-limits-store.ts`. */
export interface RateLimitsTable {
  key: string
  /** The time at which the bucket is full again. */
  full_at: number
  /** `full_at` before the last request that was allowed. */
  full_at_before: number
  /** The number of requests that were ever allowed. */
  taken: number
  /** The time from which the row has no more effect than a missing row. */
  idle_at: number
}

/** The times of the last allowed requests: a ring buffer for each bucket, as long as the limit of the window. */
export interface RateLimitHitsTable {
  key: string
  slot: number
  at: number
}

/** The changes of permissions and sessions, in the order of commits. Every process with a session cache reads them. */
export interface ChangesTable {
  seq: Generated<number>
  kind: ChangeKind
  /** The id of the session, the user or the service token. */
  subject: string
  at: number
}

/** `user` stands for the user and all sessions of the user. */
export type ChangeKind = 'session' | 'user' | 'service_token'

export interface CustomersTable {
  id: string
  name: string
  email: string
  created_at: number
}

export interface ProjectsTable {
  /** The number of the project in the search index. */
  seq: Generated<number>
  id: string
  unique_code: string
  name: string
  status: string
  progress: Project['progress']
  contract_value: number
  currency: string
  description: string
  /** See the core's `searchedText`. */
  searched_text: string
  /** The reply date. A missing date is stored as an instant after every date, so that it sorts last. */
  reply_date: number
  customer_id: string
  creator_id: number
  /** A JSON array of strings. */
  document_file_ids: string
  created_at: number
  updated_at: number
  /** Removed projects are kept for the record, with the time and the user. No list shows them. */
  removed_at: number | null
  removed_by: number | null
}

export interface ProductsTable {
  id: string
  project_id: string
  position: number
  name: string
  product_type: string
  description: string
  /** JSON. */
  attributes: string
  schema_version: string
}

export interface ProjectParticipantsTable {
  project_id: string
  position: number
  user_id: number
}

/** The last project number of each year. */
export interface ProjectNumbersTable {
  year: number
  last: number
}

/**
 * The number of projects of each customer, status and progress. Every change of a project updates the counters in its transaction.
 * An empty `customer_id` stands for all customers.
 */
export interface ProjectCountsTable {
  customer_id: string
  status: string
  progress: Project['progress']
  count: number
}

/** One row with the version of the lists. Every change of a project raises the version. */
export interface ProjectListsTable {
  id: 1
  version: number
}

export interface ResourcesTable {
  id: string
  project_id: string
  type: Resource['type']
  external_id: string
  name: string
  status: string
}

/** Rows of an unfinished import. No query shows them. */
interface Staged {
  import_id: string
  staged_at: number
}

export interface ExpensesTable {
  id: string
  project_id: string
  external_id: string
  category: Expense['category']
  /** The amount in ten-thousandths. Written as `bigint`, and read only in sums. */
  amount: bigint
  incurred_at: number
}

export interface ProductSchemasTable {
  key: string
  type: string
  version: string
  title: string
  active: 0 | 1
  /** A JSON array of strings. */
  required_fields: string
  registered_at: number
  /** The JSON exactly as it was registered. */
  schema_text: string
}

/** One row with the version of the registry. */
export interface ProductSchemaRegistryTable {
  id: 1
  version: number
}
