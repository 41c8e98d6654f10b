import { write } from '../http/to-request.ts'
import { canonicalJson } from '../shared/encoding/canonical-json.ts'
import { type Digest, requireCommitment } from '../shared/encoding/commitment.ts'
import type { PendingConfirmation } from '../shared/pending-confirmation.ts'

/**
 * Returns the challenge of a confirmation if it commits to the action that the confirmation shows. A signature of the challenge
 * commits the signer to this action (PSD2 RTS, article 5: dynamic linking). For a registered action type, the signature also
 * commits to the words of `display`. The statement of an approval request also has the request, the requester and the number of
 * approvals. A confirmation of another domain is refused.
 *
 * @throws CountersignError `CHALLENGE_MISMATCH`
 */
export const confirmationChallenge = async (sha512: Digest, shown: PendingConfirmation): Promise<string> => {
  const { confirmationId, userId, actionType, actionPayload, expiresAt, challenge, nonce, ...more } = { ...shown }
  const { actionTypeVersion, display, approvalId, requestedBy, count } = more
  const isRegistered = actionTypeVersion !== null && actionTypeVersion !== undefined
  const own = isRegistered ? 'confirmation.v2' : 'confirmation.v1'
  // An older service sends no domain.
  const { domain = `countersign.${own}` } = more
  const purpose = domain === 'countersign.approval.v1' ? 'approval.v1' : own
  const words = isRegistered ? { actionTypeVersion, display } : {}
  const request = purpose === own ? {} : { approvalId, requestedBy, count }
  const statement = { confirmationId, userId, actionType, actionPayload, expiresAt, ...words, ...request }
  write('confirmation', statement, canonicalJson)
  const committed = { challenge, nonce: domain === `countersign.${purpose}` ? nonce : undefined }
  return requireCommitment(sha512, purpose, committed, statement)
}
