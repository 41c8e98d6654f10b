import { write } from '../http/to-request.ts'
import { canonicalJson } from '../shared/encoding/canonical-json.ts'
import { type Digest, requireCommitment } from '../shared/encoding/commitment.ts'
import type { PendingConfirmation } from '../shared/pending-confirmation.ts'

/**
 * Returns the challenge of a confirmation if it commits to the action that the confirmation shows. A signature of the challenge
 * commits the signer to this action (PSD2 RTS, article 5: dynamic linking). For a registered action type, the signature also
 * commits to the words of `display`.
 *
 * @throws CountersignError `CHALLENGE_MISMATCH`
 */
export const confirmationChallenge = async (sha512: Digest, shown: PendingConfirmation): Promise<string> => {
  const { confirmationId, userId, actionType, actionPayload, expiresAt, challenge, nonce, ...more } = { ...shown }
  const { actionTypeVersion, display } = more
  const isRegistered = actionTypeVersion !== null && actionTypeVersion !== undefined
  const words = isRegistered ? { actionTypeVersion, display } : {}
  const statement = { confirmationId, userId, actionType, actionPayload, expiresAt, ...words }
  write('confirmation', statement, canonicalJson)
  return requireCommitment(sha512, isRegistered ? 'confirmation.v2' : 'confirmation.v1', { challenge, nonce }, statement)
}
