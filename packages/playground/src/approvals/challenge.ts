import type { Output } from '@countersign/contract'
import canonicalize from 'canonicalize'
import { fromBase64, toBase64 } from '../identity/device/base64.ts'

/** A pending confirmation, as the service lists it. */
export type Pending = Output<'confirmations.pending'>['confirmations'][number]

const DOMAIN = 'countersign.confirmation.v1'

/**
 * Computes the challenge of the action that a confirmation shows: SHA-512 over the domain, a zero byte, the nonce and the
 * canonical JSON (RFC 8785) of the statement, as padded base64. The page computes the challenge itself, from the data shown.
 * Only then does a signature mean "I saw this".
 */
export const challengeOf = async ({ nonce, ...shown }: Omit<Pending, 'challenge' | 'createdAt'>): Promise<string> => {
  const { confirmationId, userId, actionType, actionPayload, expiresAt } = shown
  const statement = canonicalize({ confirmationId, userId, actionType, actionPayload, expiresAt })
  if (statement === undefined) throw new TypeError('a statement has a canonical form')
  const bytes = await new Blob([DOMAIN, Uint8Array.of(0), fromBase64(nonce), statement]).arrayBuffer()
  return toBase64(await crypto.subtle.digest('SHA-512', bytes))
}

/** Returns whether the challenge of a confirmation belongs to the action shown. The phone must not sign any other challenge. */
export const isGenuine = async (pending: Pending): Promise<boolean> => (await challengeOf(pending)) === pending.challenge
