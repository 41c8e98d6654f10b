import { Gone, NotFound, RateLimited, Unauthenticated } from '../errors.ts'
import { seconds } from '../ports/clock.ts'

export class ConfirmationNotFound extends NotFound {
  static readonly code = 'confirmation_not_found'
  override readonly code = ConfirmationNotFound.code
  constructor() {
    super('Confirmation not found')
  }
}

/** It was approved or rejected before. */
export class ConfirmationUsed extends Gone {
  static readonly code = 'confirmation_used'
  override readonly code = ConfirmationUsed.code
  constructor() {
    super('Action confirmation token already used')
  }
}

export class ConfirmationExpired extends Gone {
  static readonly code = 'confirmation_expired'
  override readonly code = ConfirmationExpired.code
  constructor() {
    super('Action confirmation expired')
  }
}

export class WrongConfirmationSignature extends Unauthenticated {
  static readonly code = 'wrong_confirmation_signature'
  override readonly code = WrongConfirmationSignature.code
  constructor() {
    super('Invalid device signature')
  }
}

export class TooManyPendingConfirmations extends RateLimited {
  static readonly code = 'too_many_pending_confirmations'
  override readonly code = TooManyPendingConfirmations.code
  constructor() {
    super(seconds(30), 'Too many pending confirmations')
  }
}
