import { Conflict, Gone, NotFound, Unauthenticated } from '../../shared/errors.ts'

/** The single error for every failed check of a ceremony. */
export class InvalidPasskey extends Unauthenticated {
  static readonly code = 'invalid_passkey'
  override readonly code = InvalidPasskey.code
  constructor() {
    super('Invalid passkey')
  }
}

/** The user began no registration of this id. Registrations of other users count as unknown. */
export class PasskeyRegistrationNotFound extends NotFound {
  static readonly code = 'passkey_registration_not_found'
  override readonly code = PasskeyRegistrationNotFound.code
  constructor() {
    super('Passkey registration not found')
  }
}

/** The registration is expired or used. */
export class PasskeyRegistrationGone extends Gone {
  static readonly code = 'passkey_registration_gone'
  override readonly code = PasskeyRegistrationGone.code
  constructor() {
    super('Passkey registration expired or already used')
  }
}

/** The user already has a passkey with this credential id. */
export class PasskeyAlreadyRegistered extends Conflict {
  static readonly code = 'passkey_already_registered'
  override readonly code = PasskeyAlreadyRegistered.code
  constructor() {
    super('Passkey already registered')
  }
}

/** The user has reached `Options.passkeysPerUser` passkeys. */
export class TooManyPasskeys extends Conflict {
  static readonly code = 'too_many_passkeys'
  override readonly code = TooManyPasskeys.code
  constructor(limit: number) {
    super(`At most ${limit} passkeys can be registered for a user`)
  }
}

/** The passkey is trusted already, so nothing has to vouch for it. */
export class PasskeyAlreadyTrusted extends Conflict {
  static readonly code = 'passkey_already_trusted'
  override readonly code = PasskeyAlreadyTrusted.code
  constructor() {
    super('Passkey is already trusted')
  }
}

/** The user has no passkey of this id. Passkeys of other users count as unknown. */
export class PasskeyNotFound extends NotFound {
  static readonly code = 'passkey_not_found'
  override readonly code = PasskeyNotFound.code
  constructor() {
    super('Passkey not found')
  }
}

/** Several users have a passkey of this id, and the caller named no user. */
export class PasskeyOfSeveralUsers extends Conflict {
  static readonly code = 'passkey_of_several_users'
  override readonly code = PasskeyOfSeveralUsers.code
  constructor() {
    super('Several users have a passkey of this id: name the user')
  }
}
