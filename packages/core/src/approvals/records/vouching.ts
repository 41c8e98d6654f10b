import type { Bound } from '../../identity/records/bound.ts'
import type { Instant } from '../../shared/clock.ts'

/** The device or passkey that a vouching is about. */
export interface VouchingSubject {
  readonly userId: number
  readonly kind: 'device' | 'passkey'
  /** The id of the device, or the credential id of the passkey. */
  readonly subjectId: string
}

interface Decided {
  readonly userId: number
  readonly confirmationId: string
}

/** The record of a registration on probation, with the confirmation that vouches for it. */
export interface Vouching extends VouchingSubject {
  /** The session that registered the device or passkey; `null` if it is not known. */
  readonly registeredBy: string | null
  /** The confirmation that vouches; `null` if none was started. An older confirmation has no effect. */
  readonly confirmationId: string | null
  /** True if the registration itself started the vouching. */
  readonly startedByRegistration: boolean
  /** How often the vouching was started again since `restartsSince`. */
  readonly restarts: number
  /** The time of the first restart that counts towards the limit of a day; `null` before any. */
  readonly restartsSince: Instant | null
  readonly createdAt: Instant
}

/** The vouchings, one for each device or passkey. Rows of removed ones stay until their retention has passed. */
export interface VouchingStore {
  /** Adds a vouching. Replaces the vouching of the same subject. */
  put(vouching: Vouching): Promise<void>
  /** Returns the vouching of a device or passkey, or the one that a confirmation decides; `undefined` if there is none. */
  find(by: VouchingSubject | Decided): Promise<Vouching | undefined>
  /** Returns how many vouchings of the user were started since then by registrations in live sessions with this bound. */
  startedByRegistrations(userId: number, since: Instant, tenants?: Bound): Promise<number>
}
