import { createHmac } from 'node:crypto'
import type { DigestKey } from '../digest-key.ts'

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
export type LoginSourceOf = (email: string, address: string | undefined) => Promise<LoginSource>

/** Makes the function that returns the source of a login attempt. */
export const loginSources =
  (digestKey: DigestKey): LoginSourceOf =>
  async (email, address = 'unknown') => {
    const key = await digestKey('login/sources')
    const digest = (text: string): string => createHmac('sha256', key).update(text).digest('base64url')
    return { account: digest(`account\0${email}`), client: digest(`client\0${email}\0${address}`) }
  }
