import { Unauthenticated } from '../../shared/errors.ts'

/** One answer for an unknown user, a wrong password, a disabled user and a user without password (ASVS 6.3.8). */
export class InvalidCredentials extends Unauthenticated {
  static readonly code = 'invalid_credentials'
  override readonly code = InvalidCredentials.code
  constructor() {
    super('Invalid email or password')
  }
}

/** One answer for every refresh token that is not good, whatever is wrong with it. */
export class InvalidRefreshToken extends Unauthenticated {
  static readonly code = 'invalid_refresh_token'
  override readonly code = InvalidRefreshToken.code
  constructor() {
    super('Invalid refresh token')
  }
}

/** One answer for every access token that is not good. */
export class InvalidAccessToken extends Unauthenticated {
  static readonly code = 'invalid_access_token'
  override readonly code = InvalidAccessToken.code
  constructor() {
    super('Invalid or expired token')
  }
}
