import type {
  Challenge,
  Delegation,
  Device,
  HostSignIn,
  OneTimeCode,
  Passkey,
  RegistrationEvidence,
  SealedField,
  ServiceToken,
  Session,
  User,
} from '@countersign/core/storage'
import type { Generated } from 'kysely'
import type { Nullable, RowOf } from './row-of.ts'

/** The tables of identity. See `Tables` for the form of the values. */
export interface IdentityTables {
  users: RowOf<Omit<User, 'id' | 'employee' | 'department'>> & {
    id: Generated<number>
    /** The name in the form in which searches compare it; see the core's `fold`. */
    folded_name: string
    employee_id: string
    employee_name: string
    employee_avatar_file_id: string
    department_id: string
    department_name: string
    /** The time at which the user's last trusted passkey without a bound was removed. The row of the passkey is deleted. */
    trusted_passkey_removed_at: number | null
    /** The time of the mailbox mark; `null` without a mark. */
    mailbox_mark_at: number | null
    /** 1 if the mark remembers that the user had a trusted device or passkey. */
    mailbox_mark_signer: Generated<0 | 1>
    /** The time at which the personal data was erased. The stores do not return such a row. */
    erased_at: number | null
  }
  /** A row for each permission of a user who is neither disabled nor locked. The stores of users and devices keep them current. */
  permission_holders: {
    user_id: number
    /** In the spelling of the user's list. */
    permission: string
    has_signer: SignerKind
    /** The last time at which the user was asked for an approval; 0 before. */
    asked_at: number
  }
  sessions: RowOf<Omit<Session, 'host'>> &
    Nullable<RowOf<HostSignIn, { method: 'host_method' }>> & {
      /** The day of `refresh_expires_at`, counted from 1970; see `sweepDayOf`. */
      sweep_day: number
    }
  login_failures: {
    /** The digest of an account and a client address. */
    account: string
    count: number
    last_at: number
    known_until: Generated<number>
  }
  login_ceilings: { account: string; full_at: number }
  devices: RowOf<Device, { deviceName: 'name'; deviceType: 'type'; deviceFingerprint: 'fingerprint' }> &
    Registration & {
      /** A keyed hash of the push token; `null` without a token. */
      push_token_digest: string | null
      /** Removed devices stay until their retention has passed. */
      removed_at: number | null
    }
  /** The signatures by which devices proved their keys. The row of a removed device stays as long as the device. */
  device_registrations: RowOf<RegistrationEvidence, { deviceId: 'id'; text: 'statement'; over: 'signature_over' }>
  /** `tenants` is empty for passkeys that are not bound. */
  user_handles: { user_id: number; tenants: string; handle: string }
  passkeys: RowOf<Passkey> & Registration
  /** The keys of removed passkeys. */
  removed_passkeys: {
    user_id: number
    spki: string
    /** The tenants to which a trusted passkey was bound; `null` for any other passkey. */
    trusted_for: string | null
    removed_at: number
  }
  passkey_push_tokens: { id: string; user_id: number; passkey_id: string; push_token: SealedField; push_token_digest: string }
  secrets: { id: string; secret: SealedField }
  running_servers: { id: string; seen_at: number; settings: string }
  challenges: RowOf<Omit<Challenge, 'subject'>> & {
    /** JSON. Its form depends on the purpose. */
    subject: string
    /** The time at which a user's challenge was used. The row is kept for a day. */
    used_at: number | null
  }
  /** At most one row for each user, kind and slot. A spent or voided code is deleted. */
  one_time_codes: RowOf<OneTimeCode> & {
    /** 0, or the place of a code among the codes of the kind `forgot` of its user. */
    slot: number
  }
  delegations: RowOf<Delegation, { from: 'from_user'; to: 'to_user'; until: 'until_at' }>
  service_tokens: RowOf<ServiceToken>
  /** The buckets of rate limits; see `rate-limits-store.ts`. */
  rate_limit_states: {
    key: string
    /** The time at which the bucket is full again. */
    full_at: number
    /** The times of allowed requests that the window may still need, earliest first: a JSON list. */
    allowed_at: string
    /** The time of creation, plus 1 for each write since: a row that is created again never has an earlier version. */
    version: number
    /** A time from which the row has no more effect than a missing row. */
    idle_at: number
  }
}

/** 1 if the user has a device that is trusted or in its cooling-off period, 2 if the user has only such passkeys, 0 otherwise. */
export type SignerKind = 0 | 1 | 2

interface Registration {
  /** 1 if the registration began a cooling-off period. */
  cooling_off: Generated<0 | 1>
  /** The session that registered the device or passkey. */
  registered_by: string | null
}
