import type { Output } from '@countersign/contract'
import type { CallOptions } from '../../http/call.ts'
import type { Method, MethodWithoutInput } from '../../http/method.ts'
import type { RegisterDevice, RegisteredDevice } from './register-device.ts'

/** A registered device of the user. */
export type Device = Output<'devices.list'>['devices'][number]

/** The registered devices of the user. */
export interface DeviceMethods {
  /**
   * Registers this device: announces the key of the signer, and signs the challenge that proves possession of the key. The device
   * may be on probation: see `trusted` and `vouching` of the result.
   *
   * @throws CountersignError `CHALLENGE_MISMATCH` if the challenge is not the challenge of this registration; nothing is signed
   */
  register(input: RegisterDevice, options?: CallOptions): Promise<RegisteredDevice>
  /** Starts the vouching for a device on probation again. Needs a session of a trusted device. */
  readonly vouch: Method<'devices.vouch'>
  /** Lists the registered devices, the oldest first. */
  readonly list: MethodWithoutInput<'devices.list'>
  /** Removes a device and ends its sessions. The service accepts no further signature of the device. */
  readonly remove: Method<'devices.remove'>
  /** Sets the push token, to which the service sends notifications for the device. */
  readonly setPushToken: Method<'devices.setPushToken'>
  /** The first step of `register`: announces a key, and gets the challenge to sign. */
  readonly beginRegistration: Method<'devices.beginRegistration'>
  /** The second step of `register`. A challenge allows one attempt. */
  readonly finishRegistration: Method<'devices.finishRegistration'>
}
