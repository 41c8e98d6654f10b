import type { Instant } from '../../shared/clock.ts'

/** The device or passkey that a vouching is about. */
export interface VouchingSubject {
  readonly userId: number
  readonly kind: 'device' | 'passkey'
  /** The id of the device, or the credential id of the passkey. */
  readonly subjectId: string
}

/** The record of a registration on probation, with the confirmation that vouches for it. */
export interface Vouching extends VouchingSubject {
  /** The session that registered the device or passkey; `null` if it is not known. */
  readonly registeredBy: string | null
  /** The confirmation that vouches; `null` where none was started. An older confirmation has no effect. */
  readonly confirmationId: string | null
  /** True if the registration itself started the vouching. */
  readonly startedByRegistration: boolean
  readonly createdAt: Instant
}
