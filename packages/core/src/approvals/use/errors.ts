import { errorOf } from '../../shared/errors.ts'
import type { UncountedApproval } from '../requests/errors.ts'

/** The confirmation cannot be used: nobody approved it, it is void, or it serves another purpose, such as vouching for a device. */
export class ConfirmationNotApproved extends errorOf('confirmation_not_approved') {
  /** The approval, with the reason, if it was given and does not count; empty otherwise. For the host, not for the client. */
  readonly uncounted: readonly UncountedApproval[]

  constructor(uncounted: readonly UncountedApproval[] = []) {
    super()
    this.uncounted = uncounted
  }
}

/** The confirmation approves another action: another type, or another payload. */
export class ActionMismatch extends errorOf('other_action') {}

/** The transaction of the host has another isolation level than READ COMMITTED. */
export class OtherIsolationLevel extends errorOf('isolation_level') {}

/** The approval was used before. */
export class ConfirmationConsumed extends errorOf('confirmation_consumed') {}

/** The approval is older than `maxAge`. */
export class ConfirmationTooOld extends errorOf('confirmation_too_old') {}
