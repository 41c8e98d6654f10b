import { days, type Instant, minutes } from '../../shared/clock.ts'

/**
 * The kind of a one-time code. `enrolment` makes a new device or passkey trusted. `reset` and `invitation` set the password of a
 * user. A code of one kind is never accepted for another kind.
 */
export type OneTimeCodeKind = 'enrolment' | 'reset' | 'invitation'

/** A one-time code of one user. The storage keeps the hash of the text, never the text. */
export interface OneTimeCode {
  readonly userId: number
  readonly kind: OneTimeCodeKind
  /** See `hashOfCode`. */
  readonly hash: string
  readonly createdAt: Instant
  readonly expiresAt: Instant
}

/** The time in which a code can be used, in milliseconds. */
export const codeLifetimes: Readonly<Record<OneTimeCodeKind, number>> = {
  enrolment: minutes(15),
  reset: minutes(30),
  invitation: days(7),
}
