import { errorOf } from '../../shared/errors.ts'

/** The single error for every failed check of a ceremony. */
export class InvalidPasskey extends errorOf('invalid_passkey') {}

/** The user began no registration of this id. Registrations of other users count as unknown. */
export class PasskeyRegistrationNotFound extends errorOf('passkey_registration_not_found') {}

/** The registration is expired or used. */
export class PasskeyRegistrationGone extends errorOf('passkey_registration_gone') {}

/** The user already has a passkey with this credential id. */
export class PasskeyAlreadyRegistered extends errorOf('passkey_already_registered') {}

/** The user has reached `Options.passkeysPerUser` passkeys. */
export class TooManyPasskeys extends errorOf('too_many_passkeys') {
  constructor(limit: number) {
    super(`At most ${limit} passkeys can be registered for a user`)
  }
}

/** The passkey is trusted already, so nothing has to vouch for it. */
export class PasskeyAlreadyTrusted extends errorOf('passkey_already_trusted') {}

/** The user has no passkey of this id. Passkeys of other users count as unknown. */
export class PasskeyNotFound extends errorOf('passkey_not_found') {}

/** Several users have a passkey of this id, and the caller named no user. */
export class PasskeyOfSeveralUsers extends errorOf('passkey_of_several_users') {}
