import type { SealedField } from '@countersign/core/storage'
import type { Challenge, Device, OneTimeCode, Passkey, RegistrationEvidence, Session } from '@countersign/core/types'
import type { Generated } from 'kysely'

/** The tables of identity. See `Tables` for the form of the values. */
export interface IdentityTables {
  users: UsersTable
  permission_holders: PermissionHoldersTable
  sessions: SessionsTable
  login_failures: LoginFailuresTable
  login_ceilings: LoginCeilingsTable
  devices: DevicesTable
  device_registrations: DeviceRegistrationsTable
  user_handles: UserHandlesTable
  passkeys: PasskeysTable
  removed_passkeys: RemovedPasskeysTable
  secrets: SecretsTable
  running_servers: RunningServersTable
  challenges: ChallengesTable
  one_time_codes: OneTimeCodesTable
  delegations: DelegationsTable
  service_tokens: ServiceTokensTable
  rate_limit_states: RateLimitStatesTable
}

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
  /** The time at which the user's last trusted passkey was removed. The row of the passkey is deleted. */
  trusted_passkey_removed_at: number | null
  version: number
  created_at: number
  updated_at: number
  /** The time at which the personal data was erased. The stores do not return such a row. */
  erased_at: number | null
}

/** A row for each permission of a user who is neither disabled nor locked. The stores of users and devices keep them current. */
export interface PermissionHoldersTable {
  user_id: number
  /** As the list of the user spells it. */
  permission: string
  /** 0 if the user has no active device that is trusted or in its cooling-off period. */
  has_signer: 0 | 1
  /** The last time at which the user was asked for an approval; 0 before. */
  asked_at: number
}

export interface SessionsTable {
  id: string
  user_id: number
  kind: Session['kind']
  auth_method: Session['authMethod']
  device_id: string | null
  passkey_id: string | null
  user_verified: 0 | 1
  host_method: string | null
  signed_in_at: number | null
  opened_by: string | null
  remember_me: 0 | 1
  opened_from: SealedField | null
  created_at: number
  last_used_at: number
  refresh_token_id: string
  previous_refresh_token_id: string | null
  renewal_key_hash: string | null
  rotated_at: number
  refresh_expires_at: number
  /** The day of `refresh_expires_at`, counted from 1970; see `sweepDayOf`. */
  sweep_day: number
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
  /** A keyed hash of the push token; `null` without a token, and for a token that an earlier version stored. */
  push_token_digest: string | null
  last_used_at: number | null
  created_at: number
  updated_at: number
  /** Removed devices stay until their retention has passed. */
  removed_at: number | null
  trusted_at: number | null
  /** 1 if the registration began a cooling-off period. */
  cooling_off: Generated<0 | 1>
  /** The session that registered the device; `null` for a device that an earlier version registered. */
  registered_by: string | null
}

/** The signatures by which devices proved their keys. The row of a removed device stays as long as the device. */
export interface DeviceRegistrationsTable {
  /** The id of the device. */
  id: string
  user_id: number
  challenge: string
  nonce: SealedField
  /** The signed statement as canonical JSON, encrypted. */
  statement: SealedField
  algorithm: RegistrationEvidence['algorithm']
  /** The bytes of the signature in base64url. */
  signature: string
  signature_over: RegistrationEvidence['over']
  public_key: string
  key_thumbprint: string
  registered_at: number
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
  /** The same key as SPKI in PEM. */
  spki: string
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
  /** 1 if the registration began a cooling-off period. */
  cooling_off: Generated<0 | 1>
  /** The session that registered the passkey; `null` for a passkey that an earlier version registered. */
  registered_by: string | null
}

/** The keys of removed passkeys. */
export interface RemovedPasskeysTable {
  user_id: number
  spki: string
  removed_at: number
}

export interface SecretsTable {
  id: string
  secret: SealedField
}

export interface RunningServersTable {
  id: string
  seen_at: number
  settings: string
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
export interface DelegationsTable {
  from_user: number
  to_user: number
  permission: string
  until_at: number
  created_at: number
}

export interface OneTimeCodesTable {
  user_id: number
  kind: OneTimeCode['kind']
  hash: string
  created_at: number
  expires_at: number
}

export interface ServiceTokensTable {
  id: string
  service: string
  /** A JSON array of strings. */
  scopes: string
  /** A JSON array of strings. */
  within: string
  created_at: number
  expires_at: number
  revoked_at: number | null
}

/** The buckets of rate limits; see `rate-limits-store.ts`. */
export interface RateLimitStatesTable {
  key: string
  /** The time at which the bucket is full again. */
  full_at: number
  /** The times of allowed requests that the window may still need, earliest first: a JSON list. */
  allowed_at: string
  /** Grows with every change of the row, so that no change is lost. See `RateLimitRow`. */
  version: number
  /** A time from which the row has no more effect than a missing row. */
  idle_at: number
}
