import { createHmac, createSecretKey } from 'node:crypto'
import { deriveKey } from '../../shared/crypto/derive-key.ts'
import { type KeyRing, oldestSecret } from '../../shared/crypto/key-ring.ts'

/** The origin of a try to log in: keyed digests, which tell neither emails nor addresses to a reader of the database. */
export interface LoginSource {
  /** Digest of the normalised email, whether a user has that email or not. */
  readonly account: string
  /** Digest of the email together with the client address. */
  readonly client: string
}

/**
 * Makes the source of a try.
 *
 * @param email Normalised.
 * @param address The client address in one spelling; all clients without one count as one client.
 */
export type LoginSourceOf = (email: string, address: string | undefined) => LoginSource

/**
 * Derives the digests from the oldest key of the ring. A new key in front of it changes nothing; without the oldest key the
 * counts and the known addresses begin anew.
 */
export const loginSources = (ring: KeyRing): LoginSourceOf => {
  const key = createSecretKey(deriveKey(oldestSecret(ring), 'login/sources'))
  const digest = (text: string): string => createHmac('sha256', key).update(text).digest('base64url')
  return (email, address = 'unknown') => ({
    account: digest(`account\0${email}`),
    client: digest(`client\0${email}\0${address}`),
  })
}
