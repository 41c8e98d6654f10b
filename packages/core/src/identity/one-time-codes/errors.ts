import { Unauthenticated } from '../../shared/errors.ts'

/** The single error for a code that is unknown, used, expired or replaced, and for a code of a user who cannot log in. */
export class InvalidOneTimeCode extends Unauthenticated {
  static readonly code = 'invalid_one_time_code'
  override readonly code = InvalidOneTimeCode.code
  constructor() {
    super('Invalid or expired code')
  }
}
