import type { Output } from '@countersign/contract'
import canonicalize from 'canonicalize'
import { fromBase64, toBase64 } from '../identity/device/base64.ts'

/** A confirmation as the phone gets it. */
export type Pending = Output<'confirmations.pending'>['confirmations'][number]

const DOMAIN = 'countersign.confirmation.v1'

/**
 * The challenge that belongs to what a confirmation asks: SHA-512 over the domain, a zero byte, the nonce and the
 * canonical JSON (RFC 8785) of the statement, as padded base64. The same formula as the service's, on purpose computed
 * here from what is shown: only so does a signature mean "I saw this".
 */
export const challengeOf = async ({ nonce, ...shown }: Omit<Pending, 'challenge' | 'createdAt'>): Promise<string> => {
  const { confirmationId, userId, actionType, actionPayload, expiresAt } = shown
  const statement = canonicalize({ confirmationId, userId, actionType, actionPayload, expiresAt })
  if (statement === undefined) throw new TypeError('a statement has a canonical form')
  const bytes = await new Blob([DOMAIN, Uint8Array.of(0), fromBase64(nonce), statement]).arrayBuffer()
  return toBase64(await crypto.subtle.digest('SHA-512', bytes))
}

/** Whether a confirmation's challenge is that of what it shows. Where it is not, nothing may be signed. */
export const isGenuine = async (pending: Pending): Promise<boolean> => (await challengeOf(pending)) === pending.challenge
