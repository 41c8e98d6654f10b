import type { Logger } from '../shared/logger.ts'

/** The events of refused credentials in the log, with their reasons. Answers never contain a reason. */
export const refusalReasons = {
  passkey_refused: [
    /** The challenge was used before, is expired, or is not the challenge of the client data. */
    'challenge',
    'signature',
    /** The user handle is missing, or is not the user handle of the passkey. */
    'user_handle',
    /** The ceremony did not ask for this passkey. */
    'not_offered',
    'credential_id',
    'type',
    /** The page or app is not listed as an origin. */
    'origin',
    /** The page was in a frame of another site. */
    'cross_origin',
    'authenticator_data',
    'relying_party',
    'user_presence',
    'user_verification',
    'backup_flags',
    /** The passkey was bound to one device and no longer is, or the other way round. */
    'backup_eligibility',
    /** The counter did not rise: the sign of a cloned authenticator. */
    'counter',
    'key',
    'attestation',
    /** The user is disabled, locked or deleted. */
    'user',
  ],
  login_refused: [
    'unknown_user',
    /** A disabled or locked user, or a user whose email is refused. The log never says whether the password was right. */
    'disabled',
    'locked',
    /** The user belongs to a directory of the host, and this server runs without a directory. */
    'no_directory',
    'no_password',
    'password',
    /** The user was disabled, was locked or got another password during the login. */
    'changed',
    /** The client must wait after earlier failures. The password was not checked. */
    'wait',
  ],
  one_time_code_refused: [
    /** The code was never issued, was used or was replaced; or it expired, and was swept. */
    'unknown_code',
    'expired',
    /** The code was used, was replaced or expired while the request was answered, or before its registration ended. */
    'used',
    /** A code for another purpose. */
    'wrong_kind',
    /** An enrolment code of another user. */
    'other_user',
    /** The user is disabled, locked or deleted. */
    'user',
  ],
  registration_refused: [
    /** The challenge was never issued to the user, was used before or is expired. */
    'challenge',
    /** The key is not one of the accepted keys. */
    'key',
    /** The announced key did not sign the challenge. */
    'signature',
    /** The user has an active device of this fingerprint. */
    'fingerprint_taken',
    /** The passkey is registered already. */
    'known',
    /** The user has the largest allowed number of devices or passkeys. */
    'too_many',
    /** The session of the user ended during the registration. */
    'session_ended',
  ],
  service_refused: [
    'signature',
    'issuer',
    /** A token of another kind, such as the token of a user at an operation for services. */
    'wrong_use',
    'expired',
    /** The service token was revoked. */
    'revoked',
    /** The service gave another name than the one in its token. */
    'service_name',
    /** The session of the user's token ended, or the user is disabled or locked. */
    'session_ended',
  ],
  device_login_refused: ['challenge', 'signature', 'device_removed', 'user'],
  refresh_token_refused: [
    'signature',
    'issuer',
    /** A token of another kind, such as an access token. */
    'wrong_use',
    'expired',
    /** The session ended, or its user is disabled or locked. */
    'session_ended',
    /** The token was spent. The session ends with this use, unless it had ended. */
    'reused',
  ],
} as const satisfies Readonly<Record<string, readonly string[]>>

export type RefusalEvent = keyof typeof refusalReasons
export type RefusalReason<E extends RefusalEvent> = (typeof refusalReasons)[E][number]
export type PasskeyRefusal = RefusalReason<'passkey_refused'>

/** The user, device or service of a refusal. A user is named only for a valid signature, because anyone can send a wrong one. */
type Named = Readonly<Record<string, string | number>>

/** The events in which a right signature is refused. These are warnings. */
const SIGNED: ReadonlySet<RefusalEvent> = new Set<RefusalEvent>(['passkey_refused', 'device_login_refused'])

/** Logs the reason of a refused credential. */
export const logRefusal = <E extends RefusalEvent>(logger: Logger, event: E, reason: RefusalReason<E>, named?: Named): void =>
  logger[named !== undefined && SIGNED.has(event) ? 'warn' : 'info'](event, { reason, ...named })

/** Logs why a user cannot register a device or passkey, and returns the error. Failed checks of WebAuthn are `passkey_refused`. */
export const refusedRegistration = <E extends Error>(
  { logger }: { readonly logger: Logger },
  reason: RefusalReason<'registration_refused'>,
  { kind, userId }: { readonly kind: 'device' | 'passkey'; readonly userId: number },
  error: E,
): E => {
  logRefusal(logger, 'registration_refused', reason, { kind, userId })
  return error
}

const SHOWN_CHARACTERS = 8

/** Returns the beginning of a credential id, enough to find the passkey in a list. */
export const shortened = (credentialId: string): string => credentialId.slice(0, SHOWN_CHARACTERS)
