import type { Input, Output } from '@countersign/contract'
import type { CallOptions } from '../../http/call.ts'

/** Sessions: how they begin by password, and how they end. */
export interface AuthMethods {
  /** Logs in with email and password, and signs the client in. */
  login(input: Input<'auth.login'>, options?: CallOptions): Promise<Output<'auth.login'>>
  /**
   * Exchanges a refresh token, which is good once, for the next pair. Only for tokens that are kept elsewhere: the client
   * renews its own, and one that is used twice ends its session.
   */
  refresh(input: Input<'auth.refresh'>, options?: CallOptions): Promise<Output<'auth.refresh'>>
  /**
   * Forgets the tokens of the client and ends the session. The tokens are forgotten even where the service cannot be
   * reached; then the call rejects, and the session ends with its tokens' time. Where the store of the tokens fails, the
   * service is told first, and then the call rejects with what the store threw.
   */
  logout(input?: Record<string, never>, options?: CallOptions): Promise<Output<'auth.logout'>>
  /** Ends a session whose tokens are kept elsewhere: that of `options.token`, and that of the refresh token. */
  logout(input: Input<'auth.logout'>, options?: CallOptions): Promise<Output<'auth.logout'>>
}
