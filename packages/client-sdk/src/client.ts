import type { ConfirmationMethods } from './approvals/methods.ts'
import type { CallOptions } from './http/call.ts'
import type { AuthMethods } from './identity/auth/methods.ts'
import type { DeviceMethods } from './identity/devices/methods.ts'
import type { MobileMethods } from './identity/mobile/methods.ts'
import type { PasskeyMethods } from './identity/passkeys/methods.ts'
import type { ServiceMethods } from './identity/service/methods.ts'
import type { ProjectMethods } from './projects/methods.ts'
import type { SignedOutEvent } from './session/keep-session.ts'

/**
 * The operations of a Countersign server. Every method takes the operation's input and then `CallOptions`, resolves with
 * its output, and rejects with a `CountersignError`, or with the reason of the caller's signal.
 *
 * A login signs the client in: from then on its calls present the session's token, and it is renewed before it ends or when
 * the service refuses it.
 */
export interface Client extends ServiceMethods {
  readonly auth: AuthMethods
  readonly devices: DeviceMethods
  readonly mobile: MobileMethods
  readonly passkeys: PasskeyMethods
  readonly confirmations: ConfirmationMethods
  readonly projects: ProjectMethods
  /**
   * The access token of the session, renewed where its end is near, for requests to your own services; `undefined` where
   * nobody is signed in.
   */
  accessToken(options?: Pick<CallOptions, 'signal' | 'timeout'>): Promise<string | undefined>
  /**
   * Calls back when the session is over: once for each, whatever ended it and however many calls were under way. Returns
   * what ends that.
   */
  on(event: 'signedOut', listener: (event: SignedOutEvent) => void): () => void
}
