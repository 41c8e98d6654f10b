import type { Output } from '@countersign/contract'
import type { CallOptions } from '../../http/call.ts'
import type { Method, MethodWithoutInput } from '../../http/method.ts'
import type { CreatedPasskey, CreatePasskey } from './create-passkey.ts'
import type { LoginWithPasskey } from './login-with-passkey.ts'

/** A passkey of the user. */
export type Passkey = Output<'passkeys.list'>['credentials'][number]

/** Passkeys (WebAuthn). Outside a browser, `create` and `login` reject with `UNSUPPORTED`. */
export interface PasskeyMethods {
  /**
   * Has the browser create a passkey for the user of the session, and registers the passkey. The passkey may be on probation:
   * see `trusted` and `vouching` of the result.
   *
   * @throws CountersignError `PASSKEY_FAILED`; `cause` is the error of the browser, `NotAllowedError` if the person declined
   */
  create(input?: CreatePasskey, options?: CallOptions): Promise<CreatedPasskey>
  /**
   * Has the browser sign with a passkey, and signs the client in. Without an email, the person can choose any passkey of this
   * site. A later call ends an earlier call that still waits; the earlier call rejects with an `AbortError`.
   * @throws CountersignError `PASSKEY_FAILED`, as `create`
   */
  login(input?: LoginWithPasskey, options?: CallOptions): Promise<Output<'passkeys.finishLogin'>>
  /** Lists the passkeys of the user. */
  readonly list: MethodWithoutInput<'passkeys.list'>
  /** Gives a passkey another name. */
  readonly rename: Method<'passkeys.rename'>
  /** Starts the vouching for a passkey on probation again. Needs a session of a trusted device. */
  readonly vouch: Method<'passkeys.vouch'>
  /** Removes a passkey and ends the sessions that the passkey opened. */
  readonly remove: Method<'passkeys.remove'>
  /** The first step of `create`: gets the options for the browser. */
  readonly beginRegistration: Method<'passkeys.beginRegistration'>
  /** The second step of `create`. */
  readonly finishRegistration: Method<'passkeys.finishRegistration'>
  /** The first step of `login`: gets the options for the browser. */
  readonly beginLogin: Method<'passkeys.beginLogin'>
  /** The second step of `login`, which signs the client in. */
  readonly finishLogin: Method<'passkeys.finishLogin'>
}
