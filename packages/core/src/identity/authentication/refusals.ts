import type { Logger } from '../../shared/logger.ts'

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

/** The user and the credential of a refusal. Given only if the signature was right, because anyone can send a wrong one. */
interface Signer {
  readonly userId: number
  readonly [id: string]: string | number
}

/** Logs the reason of a refused credential. Expired refresh tokens and ended sessions are normal, so they are no warnings. */
export const logRefusal = <E extends RefusalEvent>(logger: Logger, event: E, reason: RefusalReason<E>, signer?: Signer): void =>
  logger[signer === undefined || event === 'refresh_token_refused' ? 'info' : 'warn'](event, { reason, ...signer })

const SHOWN_CHARACTERS = 8

/** Returns the beginning of a credential id, enough to find the passkey in a list. */
export const shortened = (credentialId: string): string => credentialId.slice(0, SHOWN_CHARACTERS)
