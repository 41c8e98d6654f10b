import canonicalize from 'canonicalize'
import { commitTo } from '../../shared/crypto/challenge-commitment.ts'
import type { Challenge } from '../records/challenge.ts'

/** The statement that a device signs to log in. */
export interface DeviceLoginStatement {
  readonly sessionId: string
  readonly deviceFingerprint: string
  /** ISO 8601 UTC timestamp with milliseconds, as on the wire. */
  readonly expiresAt: string
}

/** The statement that a device signs to prove that it has the announced key. */
export interface DeviceRegistrationStatement extends Omit<DeviceLoginStatement, 'sessionId'> {
  readonly deviceId: string
  readonly userId: number
  /** The RFC 7638 thumbprint of the announced key. */
  readonly keyThumbprint: string
}

/** A challenge with the nonce that its signer needs to compute the challenge again. */
export type CommittedChallenge<P extends 'device_login' | 'device_registration'> = Challenge<P> & {
  /** 64 random bytes as padded base64. */
  readonly nonce: string
}

/** The number of random bytes that make a challenge unique. */
export const NONCE_BYTES = 64

const LOGIN_DOMAIN = 'countersign.device-login.v1'
const REGISTRATION_DOMAIN = 'countersign.device-registration.v1'

const canonicalText = (statement: object): string => {
  const text = canonicalize(statement)
  if (text === undefined) throw new TypeError('a statement has a canonical form')
  return text
}

/** Returns the challenge of a device login, see `commitTo`. */
export const deviceLoginChallenge = (nonce: Uint8Array, statement: DeviceLoginStatement): string => {
  const { sessionId, deviceFingerprint, expiresAt } = statement
  return commitTo(LOGIN_DOMAIN, nonce, canonicalText({ sessionId, deviceFingerprint, expiresAt }))
}

/** Returns the canonical JSON (RFC 8785) of the statement of a registration. */
export const deviceRegistrationText = (statement: DeviceRegistrationStatement): string => {
  const { deviceId, userId, keyThumbprint, deviceFingerprint, expiresAt } = statement
  return canonicalText({ deviceId, userId, keyThumbprint, deviceFingerprint, expiresAt })
}

/** Returns the challenge of a device registration, see `commitTo`. */
export const deviceRegistrationChallenge = (nonce: Uint8Array, statement: DeviceRegistrationStatement): string =>
  commitTo(REGISTRATION_DOMAIN, nonce, deviceRegistrationText(statement))
