import type { Input, Output } from '@countersign/contract'
import type { CallOptions } from '../../http/call.ts'
import type { Method } from '../../http/method.ts'

/** Sessions: login by password, renewal and logout. */
export interface AuthMethods {
  /** Logs in with email and password, and signs the client in. */
  readonly login: Method<'auth.login'>
  /**
   * Exchanges a refresh token for the next pair. Only for tokens that the caller keeps outside the client: the client renews
   * its own tokens. A refresh token is good once, and a second use ends its session.
   */
  readonly refresh: Method<'auth.refresh'>
  /**
   * Forgets the tokens of the client and ends the session. If the service cannot be reached, the client still forgets the
   * tokens. The call then rejects, and the session ends when its tokens expire. If the token store fails, the client tells the
   * service first, then the call rejects with the error of the store.
   */
  logout(input?: Record<string, never>, options?: CallOptions): Promise<Output<'auth.logout'>>
  /** Ends a session whose tokens the caller keeps: the session of `options.token` and of the refresh token. */
  logout(input: Input<'auth.logout'>, options?: CallOptions): Promise<Output<'auth.logout'>>
}
