import { createHmac, createSecretKey } from 'node:crypto'
import { deriveKey } from '../../shared/crypto/derive-key.ts'
import { type KeyRing, oldestSecret } from '../../shared/crypto/key-ring.ts'

/** The source of a login attempt, as keyed digests. The digests reveal no email and no address to a reader of the database. */
export interface LoginSource {
  /** Digest of the normalised email, whether or not a user has the email. */
  readonly account: string
  /** Digest of the email together with the client address. */
  readonly client: string
}

/**
 * Returns the source of a login attempt.
 *
 * @param email The normalised email.
 * @param address The normalised client address. All clients without an address count as one client.
 */
export type LoginSourceOf = (email: string, address: string | undefined) => LoginSource

/**
 * Derives the digests from the oldest key of the ring. A new key changes no digest. Without the oldest key, all counts and
 * known clients start again.
 */
export const loginSources = (ring: KeyRing): LoginSourceOf => {
  const key = createSecretKey(deriveKey(oldestSecret(ring), 'login/sources'))
  const digest = (text: string): string => createHmac('sha256', key).update(text).digest('base64url')
  return (email, address = 'unknown') => ({
    account: digest(`account\0${email}`),
    client: digest(`client\0${email}\0${address}`),
  })
}
