import type { ErrorCode } from '@countersign/client-sdk'
import type { Word } from './words.ts'

/** The words of the page for each kind of error. Messages of the service are for programmers: no person reads them. */
export const errorWords: Readonly<Record<ErrorCode, Word>> = {
  VALIDATION_ERROR: 'failedInput',
  UNAUTHORIZED: 'failedOther',
  FORBIDDEN: 'failedForbidden',
  CONFIRMATION_REQUIRED: 'failedForbidden',
  NOT_FOUND: 'failedGone',
  METHOD_NOT_ALLOWED: 'failedOther',
  CONFLICT: 'failedConflict',
  GONE: 'failedGone',
  PAYLOAD_TOO_LARGE: 'failedInput',
  UNSUPPORTED_MEDIA_TYPE: 'failedOther',
  RATE_LIMITED: 'failedRate',
  INTERNAL_ERROR: 'failedOther',
  UNAVAILABLE: 'failedOffline',
  SESSION_ENDED: 'failedSession',
  WRONG_PASSWORD: 'failedCredentials',
  NETWORK_ERROR: 'failedOffline',
  TIMEOUT: 'failedOffline',
  UNEXPECTED_ANSWER: 'failedOther',
  CHALLENGE_MISMATCH: 'mismatch',
  NO_DEVICE_SESSION: 'failedSession',
  NO_TRUSTED_PASSKEY: 'failedNoPasskey',
  USER_CHANGED: 'failedSession',
  LOGOUT_PENDING: 'failedLogout',
  PASSKEY_FAILED: 'failedPasskey',
  UNSUPPORTED: 'failedData',
  CONFIRMATION_REJECTED: 'failedGone',
  CONFIRMATION_EXPIRED: 'failedGone',
  RECEIPT_REFUSED: 'failedOther',
}

/** More exact words for codes of the service about which a person can do something. */
export const serviceWords: Readonly<Record<string, Word>> = {
  wrong_match_number: 'failedNumber',
  invalid_one_time_code: 'failedCode',
  too_many_vouchings: 'probationNoTries',
  no_trusted_device: 'failedNoDevice',
  too_many_devices: 'failedTooMany',
  too_many_passkeys: 'failedTooMany',
  passkey_required: 'failedNoPasskey',
}
