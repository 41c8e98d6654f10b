import type { Input, Output } from '@countersign/contract'
import type { CallOptions } from '../../http/call.ts'
import type { RegisterDevice } from './register-device.ts'

/** The devices of the user: what signs in their place. */
export interface DeviceMethods {
  /** Registers this device: announces the signer's key, and signs the challenge that proves it. */
  register(input: RegisterDevice, options?: CallOptions): Promise<Output<'devices.finishRegistration'>>
  /** Lists the registered devices, the oldest first. */
  list(input?: Input<'devices.list'>, options?: CallOptions): Promise<Output<'devices.list'>>
  /** Removes a device and ends its sessions; nothing that it signs counts any more. */
  remove(input: Input<'devices.remove'>, options?: CallOptions): Promise<Output<'devices.remove'>>
  /** Sets where a device is notified of what waits for it. */
  setPushToken(input: Input<'devices.setPushToken'>, options?: CallOptions): Promise<Output<'devices.setPushToken'>>
  /** The first step of `register`: announces a key, and gets the challenge that it must sign. */
  beginRegistration(
    input: Input<'devices.beginRegistration'>,
    options?: CallOptions,
  ): Promise<Output<'devices.beginRegistration'>>
  /** The second step of `register`. A challenge allows one attempt. */
  finishRegistration(
    input: Input<'devices.finishRegistration'>,
    options?: CallOptions,
  ): Promise<Output<'devices.finishRegistration'>>
}
