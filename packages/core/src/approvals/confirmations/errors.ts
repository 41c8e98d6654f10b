import { seconds } from '../../shared/clock.ts'
import { errorOf } from '../../shared/errors.ts'

/** The user has no confirmation with this id. A confirmation of another user gives the same error. */
export class ConfirmationNotFound extends errorOf('confirmation_not_found') {}

/** The confirmation was already approved or rejected. */
export class ConfirmationUsed extends errorOf('confirmation_used') {}

/** The confirmation was neither approved nor rejected in time (`Options.confirmationLifetime`), or the requester withdrew it. */
export class ConfirmationExpired extends errorOf('confirmation_expired') {}

/** The signature does not match the challenge. Several wrong ones reject it (`Options.wrongSignaturesPerConfirmation`). */
export class WrongConfirmationSignature extends errorOf('wrong_confirmation_signature') {}

/** The approver registered this device, and the service asks for a passkey that verifies the person (`approverVerification`). */
export class PasskeyRequired extends errorOf('passkey_required') {}

/** The number is not the number that the asking page shows. The second wrong number rejects the confirmation. */
export class WrongMatchNumber extends errorOf('wrong_match_number') {}

/** The user already has the most pending confirmations that are allowed (`Options.pendingConfirmationsPerUser`). */
export class TooManyPendingConfirmations extends errorOf('too_many_pending_confirmations') {
  constructor() {
    super(seconds(30))
  }
}
