import type {
  Challenge,
  Confirmation,
  Device,
  Expense,
  Passkey,
  Project,
  Resource,
  SealedField,
  Session,
} from '@countersign/core/storage'
import type { Generated } from 'kysely'

/**
 * Rows as they stand in every database. Instants are milliseconds in 64-bit integers, JSON is text (its members stay in
 * their order), ids that are not counted are text, and a yes or no is 1 or 0: so that the databases agree on every value.
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
  confirmations: ConfirmationsTable
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
  confirmations: true,
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
  /** A JSON array of texts. */
  permissions: string
  password_hash: string | null
  disabled_at: number | null
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
  remember_me: 0 | 1
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
  /** A removed device is kept for the record. */
  removed_at: number | null
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
  /** A JSON array of texts. */
  transports: string
  backup_eligible: 0 | 1
  backed_up: 0 | 1
  aaguid: string
  discoverable: 0 | 1 | null
  name: string
  created_at: number
  last_used_at: number | null
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
  /** JSON of what the purpose says of its subject. */
  subject: string
  created_at: number
  expires_at: number
  /** The time at which a user's challenge was used. The row is kept for a day. */
  used_at: number | null
}

export interface ConfirmationsTable {
  id: string
  user_id: number
  action_type: Confirmation['actionType']
  payload: SealedField
  nonce: SealedField
  challenge: string
  status: Confirmation['status']
  wrong_signatures: number
  device_id: string | null
  reject_reason: SealedField | null
  created_at: number
  expires_at: number
  updated_at: number
}

export interface ServiceTokensTable {
  id: string
  service: string
  /** A JSON array of texts. */
  scopes: string
  created_at: number
  expires_at: number
  revoked_at: number | null
}

/** The buckets; see `rate-limits/rate-limits-store.ts`. */
export interface RateLimitsTable {
  key: string
  /** When the bucket is full again. */
  full_at: number
  /** `full_at` before the last request that was allowed. */
  full_at_before: number
  /** How many requests were ever allowed. */
  taken: number
  /** From here on the row says nothing that an absent one would not. */
  idle_at: number
}

/** A ring for each bucket: the times of the last requests allowed, as many as its window may hold. */
export interface RateLimitHitsTable {
  key: string
  slot: number
  at: number
}

/**
 * What changed who may do what, in the order in which it was committed. Written in the transaction of the change; read
 * by every process that remembers standings.
 */
export interface ChangesTable {
  seq: Generated<number>
  kind: ChangeKind
  /** Id of the session, user or service token. */
  subject: string
  at: number
}

/** `user` also stands for all of the user's sessions. */
export type ChangeKind = 'session' | 'user' | 'service_token'

export interface CustomersTable {
  id: string
  name: string
  email: string
  created_at: number
}

export interface ProjectsTable {
  /** Counts the projects; what the search index knows a project by. */
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
  /** Where there is none, an instant later than every date, so that it sorts as one. */
  reply_date: number
  customer_id: string
  creator_id: number
  /** A JSON array of texts. */
  document_file_ids: string
  created_at: number
  updated_at: number
  /** A removed project is kept, with when and by whom, and never seen. */
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

/** The last number given out in each year. */
export interface ProjectNumbersTable {
  year: number
  last: number
}

/**
 * How many projects there are of each customer, status and progress, kept in the transaction of every change; an empty
 * `customer_id` stands for all customers.
 */
export interface ProjectCountsTable {
  customer_id: string
  status: string
  progress: Project['progress']
  count: number
}

/** One row: a number that rises with every change to what lists of projects show. */
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

/** Lines of an import that is not complete: nobody sees them. */
interface Staged {
  import_id: string
  staged_at: number
}

export interface ExpensesTable {
  id: string
  project_id: string
  external_id: string
  category: Expense['category']
  /** Ten-thousandths. Written as `bigint`; read only in sums. */
  amount: bigint
  incurred_at: number
}

export interface ProductSchemasTable {
  key: string
  type: string
  version: string
  title: string
  active: 0 | 1
  /** A JSON array of texts. */
  required_fields: string
  registered_at: number
  /** JSON, to the byte as it was registered. */
  schema_text: string
}

/** One row: the number of the registry's state. */
export interface ProductSchemaRegistryTable {
  id: 1
  version: number
}
