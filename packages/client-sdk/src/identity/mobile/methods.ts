import type { Output } from '@countersign/contract'
import type { CallOptions } from '../../http/call.ts'
import type { Method } from '../../http/method.ts'
import type { LoginByDevice } from './login-by-device.ts'

/** Sessions that a device signature opens. Only these sessions can approve. */
export interface MobileMethods {
  /**
   * Logs in by the signature of a registered device, and signs the client in.
   *
   * @throws CountersignError `CHALLENGE_MISMATCH` if the challenge is not the challenge of this login; nothing is signed
   */
  login(input: LoginByDevice, options?: CallOptions): Promise<Output<'mobile.finishLogin'>>
  /** The first step of `login`: gets the challenge. An unknown device gets a challenge too. */
  readonly beginLogin: Method<'mobile.beginLogin'>
  /** The second step of `login`, which signs the client in. A challenge allows one attempt. */
  readonly finishLogin: Method<'mobile.finishLogin'>
  /** Exchanges a refresh token of a device session, as `client.auth.refresh` does for other sessions. */
  readonly refresh: Method<'mobile.refresh'>
}
