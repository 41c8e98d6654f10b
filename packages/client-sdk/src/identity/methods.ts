import type { Input, Output } from '@countersign/contract'
import type { CallOptions, Method, MethodWithoutInput } from '../http/call.ts'
import type { LoginByDevice } from './devices/login-by-device.ts'
import type { RegisterDevice, RegisteredDevice } from './devices/register-device.ts'
import type { CreatedPasskey, CreatePasskey } from './passkeys/create-passkey.ts'
import type { LoginWithPasskey } from './passkeys/login-with-passkey.ts'

/** A live session of the user. */
export type OwnSession = Output<'sessions.list'>['sessions'][number]

/** The password of the user. */
export interface PasswordMethods {
  /** Changes the password, and ends all other sessions. A wrong current password counts as a failed login. */
  readonly change: Method<'password.change'>
  /**
   * Has a one-time code sent to the email of an account; the answer is the same for every email. `languages` is a value of
   * `Accept-Language`, which browsers send by themselves. 404 `no_delivery` if the service delivers no codes.
   */
  readonly forgot: Method<'password.forgot'>
  /** Reads the kind of a one-time code, and the first letter and the host of the email of its user. Does not use the code. */
  readonly checkCode: Method<'password.checkCode'>
  /** Sets the password by a one-time code, and ends all sessions of the user. With `signIn: true`, signs the client in. */
  readonly setWithCode: Method<'password.redeem'>
}

/** The account of the user. */
export interface AccountMethods {
  /** Reads who is signed in, and what the session may do now. The short form is `client.me()`. */
  readonly me: MethodWithoutInput<'account.me'>
  /**
   * Locks the account, from a trusted device, until an administrator unlocks it: ends every session, rejects every pending
   * confirmation and refuses logins.
   */
  readonly lock: MethodWithoutInput<'account.lock'>
}

/** The live sessions of the user. */
export interface SessionMethods {
  /** Lists the live sessions, the newest first, with the client that opened each. `nextCursor` is the `cursor` of the next page. */
  readonly list: MethodWithoutInput<'sessions.list'>
  /** Ends one session. */
  readonly end: Method<'sessions.end'>
  /** Ends every session except the session of the client. */
  readonly endOthers: MethodWithoutInput<'sessions.endOthers'>
}

/** Sessions: login by password, renewal and logout. */
export interface AuthMethods {
  /** Logs in with email and password, and signs the client in. */
  readonly login: Method<'auth.login'>
  /**
   * Exchanges a refresh token that the caller keeps outside the client, which renews its own tokens. A second use of a refresh
   * token ends its session.
   */
  readonly refresh: Method<'auth.refresh'>
  /**
   * Forgets the tokens of the client and ends the session. If the service cannot be reached, the call rejects, and the session ends
   * when its tokens expire. If the token store fails, the session ends first, then the call rejects.
   */
  logout(input?: Record<string, never>, options?: CallOptions): Promise<Output<'auth.logout'>>
  /** Ends a session whose tokens the caller keeps: the session of `options.token` and of the refresh token. */
  logout(input: Input<'auth.logout'>, options?: CallOptions): Promise<Output<'auth.logout'>>
}

/** A registered device of the user. */
export type Device = Output<'devices.list'>['devices'][number]

/** The registered devices of the user. */
export interface DeviceMethods {
  /**
   * Registers this device by the key of the signer. The device may be on probation: see `trusted` and `vouching` of the result.
   * @throws CountersignError `CHALLENGE_MISMATCH` if the challenge is not the challenge of this registration; nothing is signed
   */
  register(input: RegisterDevice, options?: CallOptions): Promise<RegisteredDevice>
  /**
   * Reads the vouching for this device, in a session of it or in the one that registered it. Show the number; the person types it
   * on a trusted device.
   */
  readonly vouching: Method<'devices.vouching'>
  /** Starts the vouching for a device on probation again: from a trusted device, the device itself, or what registered it. */
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

/** Sessions that a device signature opens. Only these sessions can approve. */
export interface MobileMethods {
  /**
   * Logs in by the signature of a registered device, and signs the client in.
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

/** A passkey of the user. */
export type Passkey = Output<'passkeys.list'>['credentials'][number]

/** Passkeys (WebAuthn). Outside a browser, `create` and `login` reject with `UNSUPPORTED`. */
export interface PasskeyMethods {
  /**
   * Has the browser create a passkey, and registers it. It may be on probation: see `trusted` and `vouching` of the result.
   * @throws CountersignError `PASSKEY_FAILED`; `cause` is the error of the browser, `NotAllowedError` if the person declined
   */
  create(input?: CreatePasskey, options?: CallOptions): Promise<CreatedPasskey>
  /**
   * Has the browser sign with a passkey, and signs the client in. Without an email, the person chooses any passkey of this site. A
   * later call ends an earlier one that still waits, with an `AbortError`.
   * @throws CountersignError `PASSKEY_FAILED`, as `create`
   */
  login(input?: LoginWithPasskey, options?: CallOptions): Promise<Output<'passkeys.finishLogin'>>
  /** Lists the passkeys of the user. */
  readonly list: MethodWithoutInput<'passkeys.list'>
  /** Gives a passkey another name. */
  readonly rename: Method<'passkeys.rename'>
  /** Reads the vouching for a passkey, and its number in force, as for a device. */
  readonly vouching: Method<'passkeys.vouching'>
  /** Starts the vouching for a passkey on probation again, as for a device. */
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

/** The types of products, and the JSON Schemas for their attributes. */
export interface ProductSchemaMethods {
  /** Lists the registered product schemas. */
  readonly list: MethodWithoutInput<'productSchemas.list'>
  /** Lists the registered versions of one product type. */
  readonly ofType: Method<'productSchemas.ofType'>
}

/** Methods for services that receive tokens of Countersign. */
export interface InternalMethods {
  /** Checks a token against the live sessions, and returns its claims: the token of `options.token`, else of the session. */
  readonly introspect: Method<'internal.verify'>
}

/** Methods for monitoring. */
export interface HealthMethods {
  /** Reports the health of the service and of its database. An unhealthy service rejects with 503; `body` is the report. */
  readonly check: MethodWithoutInput<'health.check'>
  /** Reports that the process answers requests. */
  readonly live: MethodWithoutInput<'health.live'>
  /** Reports whether the server takes requests and its database takes writes. An unready server rejects with 503. */
  readonly ready: MethodWithoutInput<'health.ready'>
}
