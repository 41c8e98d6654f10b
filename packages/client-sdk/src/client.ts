import type { ApprovalRequestMethods, ConfirmationMethods, ReceiptMethods } from './approvals/methods.ts'
import type { LiveEvents } from './events/index.ts'
import type { CallOptions } from './http/call.ts'
import type {
  AccountMethods,
  AuthMethods,
  DeviceMethods,
  HealthMethods,
  InternalMethods,
  MobileMethods,
  PasskeyMethods,
  PasswordMethods,
  ProductSchemaMethods,
  SessionMethods,
} from './identity/methods.ts'
import type { ProjectMethods } from './projects/methods.ts'
import type { AdoptedTokens } from './session/adopted-tokens.ts'
import type { ClientEvents, Listener } from './session/events.ts'

/**
 * The operations of a Countersign server. A call rejects with a `CountersignError`, or with the reason of the caller's signal. A
 * login signs the client in. Later calls present its access token, which the client renews.
 */
export interface Client {
  readonly auth: AuthMethods
  readonly account: AccountMethods
  readonly password: PasswordMethods
  readonly sessions: SessionMethods
  readonly devices: DeviceMethods
  readonly mobile: MobileMethods
  readonly passkeys: PasskeyMethods
  readonly confirmations: ConfirmationMethods
  readonly approvalRequests: ApprovalRequestMethods
  readonly receipts: ReceiptMethods
  readonly projects: ProjectMethods
  readonly productSchemas: ProductSchemaMethods
  readonly internal: InternalMethods
  readonly health: HealthMethods
  /** Reads who is signed in, with the permissions of now, and what this session may do. */
  readonly me: AccountMethods['me']
  /** Returns the access token, renewed if its end is near, for your own services; `undefined` if nobody is signed in. */
  accessToken(options?: Pick<CallOptions, 'signal' | 'timeout'>): Promise<string | undefined>
  /**
   * Signs the client in by tokens that another program received, such as the server of the host. No other program may go on to use
   * the refresh token: a second use ends the session.
   * @throws CountersignError `VALIDATION_ERROR` if the tokens are not a token pair
   */
  adopt(tokens: AdoptedTokens): Promise<void>
  /** Calls the listener at an event of the session: see `ClientEvents`. Returns a function that removes the listener. */
  on<E extends keyof ClientEvents>(event: E, listener: Listener<E>): () => void
}

/** A client that was created with `events`. */
export interface LiveClient extends Client {
  readonly events: LiveEvents
}
