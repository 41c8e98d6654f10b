import { seconds } from '../../shared/clock.ts'
import { Gone, NotFound, RateLimited, Unauthenticated } from '../../shared/errors.ts'

/** The user has no confirmation with this id. A confirmation of another user gives the same error. */
export class ConfirmationNotFound extends NotFound {
  static readonly code = 'confirmation_not_found'
  override readonly code = ConfirmationNotFound.code
  constructor() {
    super('Confirmation not found')
  }
}

/** The confirmation was already approved or rejected. */
export class ConfirmationUsed extends Gone {
  static readonly code = 'confirmation_used'
  override readonly code = ConfirmationUsed.code
  constructor() {
    super('Action confirmation token already used')
  }
}

/** The confirmation was neither approved nor rejected in time (`Options.confirmationLifetime`). */
export class ConfirmationExpired extends Gone {
  static readonly code = 'confirmation_expired'
  override readonly code = ConfirmationExpired.code
  constructor() {
    super('Action confirmation expired')
  }
}

/**
 * The signature does not match the challenge of the confirmation. After several wrong signatures the confirmation is rejected
 * (`Options.wrongSignaturesPerConfirmation`).
 */
export class WrongConfirmationSignature extends Unauthenticated {
  static readonly code = 'wrong_confirmation_signature'
  override readonly code = WrongConfirmationSignature.code
  constructor() {
    super('Invalid device signature')
  }
}

/** The number is not the number that the asking page shows. The second wrong number rejects the confirmation. */
export class WrongMatchNumber extends Unauthenticated {
  static readonly code = 'wrong_match_number'
  override readonly code = WrongMatchNumber.code
  constructor() {
    super('Wrong number')
  }
}

/** The user already has the most pending confirmations that are allowed (`Options.pendingConfirmationsPerUser`). */
export class TooManyPendingConfirmations extends RateLimited {
  static readonly code = 'too_many_pending_confirmations'
  override readonly code = TooManyPendingConfirmations.code
  constructor() {
    super(seconds(30))
  }
}
