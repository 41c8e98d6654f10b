import { Conflict, Forbidden, Gone, NotFound, Unauthenticated } from '../../shared/errors.ts'

/** The user already has an active device with this fingerprint. */
export class DeviceAlreadyRegistered extends Conflict {
  static readonly code = 'device_already_registered'
  override readonly code = DeviceAlreadyRegistered.code
  constructor() {
    super('Device already registered for this user')
  }
}

/** The user has reached `Options.devicesPerUser` active devices. */
export class TooManyDevices extends Conflict {
  static readonly code = 'too_many_devices'
  override readonly code = TooManyDevices.code
  constructor(limit: number) {
    super(`At most ${limit} devices can be registered for a user`)
  }
}

/** The device is trusted already, so nothing has to vouch for it. */
export class DeviceAlreadyTrusted extends Conflict {
  static readonly code = 'device_already_trusted'
  override readonly code = DeviceAlreadyTrusted.code
  constructor() {
    super('Device is already trusted')
  }
}

/** The user has no active device of this id. Devices of other users count as unknown. */
export class DeviceNotFound extends NotFound {
  static readonly code = 'device_not_found'
  override readonly code = DeviceNotFound.code
  constructor() {
    super('Device not found')
  }
}

/** The user began no registration with this session id. Registrations of other users count as unknown. */
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

/** The signature of the new device does not match the announced key. */
export class InvalidDeviceSignature extends Unauthenticated {
  static readonly code = 'invalid_device_signature'
  override readonly code = InvalidDeviceSignature.code
  constructor() {
    super('Invalid device signature')
  }
}

/** The single error for every failed device login: unknown challenge, unknown device or wrong signature. */
export class InvalidBiometricToken extends Unauthenticated {
  static readonly code = 'invalid_biometric_token'
  override readonly code = InvalidBiometricToken.code
  constructor() {
    super('Invalid biometric token')
  }
}

/** The device of the approval is not the device of the access token. */
export class OtherDevice extends Forbidden {
  static readonly code = 'other_device'
  override readonly code = OtherDevice.code
  constructor() {
    super('The token belongs to another device')
  }
}
