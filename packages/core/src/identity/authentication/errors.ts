import { errorOf } from '../../shared/errors.ts'

/** The single error for an unknown user, a wrong password, a disabled or locked user and a user without a password (ASVS 6.3.8). */
export class InvalidCredentials extends errorOf('invalid_credentials') {}

/** The current password that a signed-in user gave is wrong. */
export class WrongPassword extends errorOf('wrong_password') {}

/** The signer proved its key, but its user is locked or disabled. The message is that of every other failed login of its kind. */
export class AccountLocked extends errorOf('account_locked') {
  /** Whether the account is locked or disabled, and since when (ISO 8601). */
  readonly details: { readonly reason: 'locked' | 'disabled'; readonly since: string }

  constructor(message: string, details: AccountLocked['details']) {
    super(message)
    this.details = details
  }
}

/** A signed-in user has no password to change. */
export class NoPassword extends errorOf('no_password') {}

/** The single error for every invalid refresh token. */
export class InvalidRefreshToken extends errorOf('invalid_refresh_token') {}

/** The single error for every invalid access token. */
export class InvalidAccessToken extends errorOf('invalid_access_token') {}

/** Nothing delivers one-time codes here. */
export class NoDelivery extends errorOf('no_delivery') {}

/** The single error for a code that is unknown, used, expired or replaced, and for a code of a user who cannot log in. */
export class InvalidOneTimeCode extends errorOf('invalid_one_time_code') {}

/** No service token has this id. */
export class ServiceTokenNotFound extends errorOf('service_token_not_found') {}

/** No session has this id, or the session ended and was swept. */
export class SessionNotFound extends errorOf('session_not_found') {}
