import { Conflict, Gone } from '../../shared/errors.ts'

/**
 * The confirmation cannot be used for an action: nobody approved it, a lock or a disabling of the account voided it, or its
 * approval serves another purpose, such as vouching for a device.
 */
export class ConfirmationNotApproved extends Conflict {
  static readonly code = 'confirmation_not_approved'
  override readonly code = ConfirmationNotApproved.code
  constructor() {
    super('Confirmation is not approved')
  }
}

/** The confirmation approves another action: another type, or another payload. */
export class OtherAction extends Conflict {
  static readonly code = 'other_action'
  override readonly code = OtherAction.code
  constructor() {
    super('Confirmation is of another action')
  }
}

/** The approval was used before. */
export class ConfirmationConsumed extends Gone {
  static readonly code = 'confirmation_consumed'
  override readonly code = ConfirmationConsumed.code
  constructor() {
    super('Confirmation already consumed')
  }
}

/** The approval is older than `maxAge`. */
export class ConfirmationTooOld extends Gone {
  static readonly code = 'confirmation_too_old'
  override readonly code = ConfirmationTooOld.code
  constructor() {
    super('Confirmation was approved too long ago')
  }
}
