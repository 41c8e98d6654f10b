import { Unauthenticated } from '../../shared/errors.ts'

/** The single error for an unknown user, a wrong password, a disabled or locked user and a user without a password (ASVS 6.3.8). */
export class InvalidCredentials extends Unauthenticated {
  static readonly code = 'invalid_credentials'
  override readonly code = InvalidCredentials.code
  constructor() {
    super('Invalid email or password')
  }
}

/** The current password that a signed-in user gave is wrong, or the user has none. */
export class WrongPassword extends Unauthenticated {
  static readonly code = 'wrong_password'
  override readonly code = WrongPassword.code
  constructor() {
    super('The current password is wrong')
  }
}

/** The single error for every invalid refresh token. */
export class InvalidRefreshToken extends Unauthenticated {
  static readonly code = 'invalid_refresh_token'
  override readonly code = InvalidRefreshToken.code
  constructor() {
    super('Invalid refresh token')
  }
}

/** The single error for every invalid access token. */
export class InvalidAccessToken extends Unauthenticated {
  static readonly code = 'invalid_access_token'
  override readonly code = InvalidAccessToken.code
  constructor() {
    super('Invalid or expired token')
  }
}
