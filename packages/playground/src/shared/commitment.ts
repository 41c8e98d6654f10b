import canonicalize from 'canonicalize'
import { fromBase64, toBase64 } from './base64.ts'

/** A challenge as the service sends it. A service without nonces sends none. */
export interface Committed {
  readonly challenge: string
  readonly nonce?: string | undefined
}

const NONCE_BYTES = 64

/**
 * Computes a challenge: SHA-512 over the domain, a zero byte, the nonce and the canonical JSON (RFC 8785) of the statement, as
 * padded base64. The domain says what a signature is for.
 */
export const commitTo = async (domain: string, nonce: string, statement: object): Promise<string> => {
  const text = canonicalize(statement)
  if (text === undefined) throw new TypeError('a statement has a canonical form')
  const bytes = await new Blob([domain, Uint8Array.of(0), fromBase64(nonce), text]).arrayBuffer()
  return toBase64(await crypto.subtle.digest('SHA-512', bytes))
}

/** Returns whether the text is the base64 of a nonce. */
const isNonce = (nonce: unknown): nonce is string => {
  try {
    return typeof nonce === 'string' && fromBase64(nonce).length === NONCE_BYTES
  } catch {
    return false
  }
}

/** Returns whether a challenge covers this statement. A challenge without a nonce covers nothing that the page knows. */
export const isCommitment = async (domain: string, { challenge, nonce }: Committed, statement: object): Promise<boolean> =>
  isNonce(nonce) && (await commitTo(domain, nonce, statement)) === challenge
