import { Conflict, Forbidden, Gone, NotFound, Unauthenticated } from '../../shared/errors.ts'

/** The user has an active device of this fingerprint. */
export class DeviceAlreadyRegistered extends Conflict {
  static readonly code = 'device_already_registered'
  override readonly code = DeviceAlreadyRegistered.code
  constructor() {
    super('Device already registered for this user')
  }
}

/** The user has as many active devices as they may (`Options.devicesPerUser`). */
export class TooManyDevices extends Conflict {
  static readonly code = 'too_many_devices'
  override readonly code = TooManyDevices.code
  constructor(limit: number) {
    super(`At most ${limit} devices can be registered for a user`)
  }
}

/** The user has no active device of this id; another user's is not told apart from none. */
export class DeviceNotFound extends NotFound {
  static readonly code = 'device_not_found'
  override readonly code = DeviceNotFound.code
  constructor() {
    super('Device not found')
  }
}

/** No registration of this session was begun by the user; another user's is not told apart from none. */
export class RegistrationChallengeNotFound extends NotFound {
  static readonly code = 'registration_challenge_not_found'
  override readonly code = RegistrationChallengeNotFound.code
  constructor() {
    super('Registration challenge not found')
  }
}

/** The registration challenge is expired or used. */
export class RegistrationChallengeGone extends Gone {
  static readonly code = 'registration_challenge_gone'
  override readonly code = RegistrationChallengeGone.code
  constructor() {
    super('Registration challenge expired or already used')
  }
}

/** The device to be registered did not sign its challenge with the key that it announced. */
export class InvalidDeviceSignature extends Unauthenticated {
  static readonly code = 'invalid_device_signature'
  override readonly code = InvalidDeviceSignature.code
  constructor() {
    super('Invalid device signature')
  }
}

/** One answer for every device login that fails: no such challenge, no such device, a wrong signature. */
export class InvalidBiometricToken extends Unauthenticated {
  static readonly code = 'invalid_biometric_token'
  override readonly code = InvalidBiometricToken.code
  constructor() {
    super('Invalid biometric token')
  }
}

/** A confirmation is approved in the name of a device that is not the one which the access token belongs to. */
export class OtherDevice extends Forbidden {
  static readonly code = 'other_device'
  override readonly code = OtherDevice.code
  constructor() {
    super('The token belongs to another device')
  }
}
