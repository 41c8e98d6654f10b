import type { Input, Output } from '@countersign/contract'
import type { CallOptions } from '../../http/call.ts'
import type { LoginByDevice } from './login-by-device.ts'

/** Sessions that a device's signature opens: the only ones that can approve. */
export interface MobileMethods {
  /** Logs in by the signature of a registered device, and signs the client in. */
  login(input: LoginByDevice, options?: CallOptions): Promise<Output<'mobile.finishLogin'>>
  /** The first step of `login`: gets the challenge. It looks the same whether there is such a device or not. */
  beginLogin(input: Input<'mobile.beginLogin'>, options?: CallOptions): Promise<Output<'mobile.beginLogin'>>
  /** The second step of `login`, which signs the client in. A challenge allows one attempt. */
  finishLogin(input: Input<'mobile.finishLogin'>, options?: CallOptions): Promise<Output<'mobile.finishLogin'>>
  /** As `client.auth.refresh`, for the refresh token of such a session. */
  refresh(input: Input<'mobile.refresh'>, options?: CallOptions): Promise<Output<'mobile.refresh'>>
}
