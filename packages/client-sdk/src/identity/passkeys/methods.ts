import type { Input, Output } from '@countersign/contract'
import type { CallOptions } from '../../http/call.ts'
import type { CreatePasskey } from './create-passkey.ts'
import type { LoginWithPasskey } from './login-with-passkey.ts'

/** Passkeys (WebAuthn). What asks the browser rejects with `UNSUPPORTED` elsewhere. */
export interface PasskeyMethods {
  /**
   * Has the browser create a passkey for the user of the session, and registers it.
   * @throws CountersignError `PASSKEY_FAILED`; its cause is the browser's error, `NotAllowedError` where the person declined
   */
  create(input?: CreatePasskey, options?: CallOptions): Promise<Output<'passkeys.finishRegistration'>>
  /**
   * Has the browser sign with a passkey, and signs the client in. Without an email, any passkey of this site can answer.
   * Of two that wait, the later ends the earlier, which rejects with an `AbortError`.
   * @throws CountersignError `PASSKEY_FAILED`, as `create`
   */
  login(input?: LoginWithPasskey, options?: CallOptions): Promise<Output<'passkeys.finishLogin'>>
  /** Lists the passkeys of the user. */
  list(input?: Input<'passkeys.list'>, options?: CallOptions): Promise<Output<'passkeys.list'>>
  /** Gives a passkey another name. */
  rename(input: Input<'passkeys.rename'>, options?: CallOptions): Promise<Output<'passkeys.rename'>>
  /** Removes a passkey and ends the sessions that it opened. */
  remove(input: Input<'passkeys.remove'>, options?: CallOptions): Promise<Output<'passkeys.remove'>>
  /** The first step of `create`: gets what a browser needs to make a passkey. */
  beginRegistration(
    input: Input<'passkeys.beginRegistration'>,
    options?: CallOptions,
  ): Promise<Output<'passkeys.beginRegistration'>>
  /** The second step of `create`. */
  finishRegistration(
    input: Input<'passkeys.finishRegistration'>,
    options?: CallOptions,
  ): Promise<Output<'passkeys.finishRegistration'>>
  /** The first step of `login`: gets what a browser needs to sign. */
  beginLogin(input: Input<'passkeys.beginLogin'>, options?: CallOptions): Promise<Output<'passkeys.beginLogin'>>
  /** The second step of `login`, which signs the client in. */
  finishLogin(input: Input<'passkeys.finishLogin'>, options?: CallOptions): Promise<Output<'passkeys.finishLogin'>>
}
