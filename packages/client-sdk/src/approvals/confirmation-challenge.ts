import { write } from '../http/to-request.ts'
import { fromBase64, toBase64 } from '../shared/encoding/base64.ts'
import type { PendingConfirmation } from '../shared/pending-confirmation.ts'
import { canonicalJson } from './canonical-json.ts'

/** Computes SHA-512. */
export type Sha512 = (bytes: Uint8Array<ArrayBuffer>) => Promise<ArrayBuffer>

const DOMAIN = 'countersign.confirmation.v1'

/**
 * Computes the challenge of the action that a confirmation shows: SHA-512 over the domain, a zero byte, the nonce and the
 * canonical JSON of the statement, as padded base64. A signature of the challenge commits the signer to this action (PSD2 RTS,
 * article 5: dynamic linking).
 */
export const confirmationChallenge = async (sha512: Sha512, shown: PendingConfirmation): Promise<string> => {
  const { confirmationId, userId, actionType, actionPayload, expiresAt, nonce } = { ...shown }
  const utf8 = new TextEncoder()
  const statement = { confirmationId, userId, actionType, actionPayload, expiresAt }
  const parts = [
    utf8.encode(`${DOMAIN}\0`),
    write('nonce', nonce, fromBase64),
    utf8.encode(write('confirmation', statement, canonicalJson)),
  ]
  const bytes = new Uint8Array(parts.reduce((length, part) => length + part.length, 0))
  let offset = 0
  for (const part of parts) {
    bytes.set(part, offset)
    offset += part.length
  }
  return toBase64(await sha512(bytes))
}
