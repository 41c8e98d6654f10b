import { createHash } from 'node:crypto'
import type { ActionType } from '@countersign/contract'
import canonicalize from 'canonicalize'
import { toBase64 } from '../../shared/crypto/base64.ts'

/** The statement that a device approves: which action, for which user, and until when. */
export interface ConfirmationStatement {
  readonly confirmationId: string
  readonly userId: number
  readonly actionType: ActionType
  readonly actionPayload: Readonly<Record<string, unknown>>
  /** ISO 8601 UTC timestamp with milliseconds, as on the wire. */
  readonly expiresAt: string
}

const DOMAIN = 'countersign.confirmation.v1'

/**
 * Returns the challenge of a confirmation as padded base64: SHA-512 over the domain, a zero byte, the 64 bytes of the nonce
 * and the canonical JSON (RFC 8785) of the statement. A signature of the challenge commits to the statement (PSD2 RTS,
 * article 5: dynamic linking). Anyone who has the nonce and the statement can compute the challenge again.
 */
export const confirmationChallenge = (nonce: Uint8Array, statement: ConfirmationStatement): string => {
  const { confirmationId, userId, actionType, actionPayload, expiresAt } = statement
  const text = canonicalize({ confirmationId, userId, actionType, actionPayload, expiresAt })
  if (text === undefined) throw new TypeError('a statement has a canonical form')
  return toBase64(createHash('sha512').update(DOMAIN).update(Uint8Array.of(0)).update(nonce).update(text, 'utf8').digest())
}
