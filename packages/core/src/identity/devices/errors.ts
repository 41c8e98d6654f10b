import { errorOf } from '../../shared/errors.ts'

/** The user already has an active device with this fingerprint. */
export class DeviceAlreadyRegistered extends errorOf('device_already_registered') {}

/** The user has reached `Options.devicesPerUser` active devices. */
export class TooManyDevices extends errorOf('too_many_devices') {
  constructor(limit: number) {
    super(`At most ${limit} devices can be registered for a user`)
  }
}

/** The device is trusted already, so nothing has to vouch for it. */
export class DeviceAlreadyTrusted extends errorOf('device_already_trusted') {}

/** The user has no active device of this id. Devices of other users count as unknown. */
export class DeviceNotFound extends errorOf('device_not_found') {}

/** The user began no registration with this session id. Registrations of other users count as unknown. */
export class RegistrationChallengeNotFound extends errorOf('registration_challenge_not_found') {}

/** The registration challenge is expired or used. */
export class RegistrationChallengeGone extends errorOf('registration_challenge_gone') {}

/** The signature of the new device does not match the announced key. */
export class InvalidDeviceSignature extends errorOf('invalid_device_signature') {}

/** The single error for every failed device login: unknown challenge, unknown device or wrong signature. */
export class InvalidBiometricToken extends errorOf('invalid_biometric_token') {}

/** The device of the approval is not the device of the access token. */
export class OtherDevice extends errorOf('other_device') {}
