import { write } from '../http/to-request.ts'
import type { PendingConfirmation } from '../identity/devices/device-signer.ts'
import { canonicalJson } from '../shared/encoding/canonical-json.ts'
import { type Digest, requireCommitment, STATEMENT_MEMBERS } from '../shared/encoding/commitment.ts'

/**
 * Returns the challenge if it covers the statement and everything that the confirmation shows, so that a signature covers them too
 * (PSD2 RTS, article 5: dynamic linking). A statement with other members, for another person, or for the person who requested the
 * votes is refused. @throws CountersignError `CHALLENGE_MISMATCH`
 */
export const confirmationChallenge = async (sha512: Digest, shown: PendingConfirmation, userId: unknown): Promise<string> => {
  const { statement: given, challenge, nonce, ...members } = { ...shown }
  const { approval, ...statement } = { ...given }
  const { confirmationId, createdAt, expiresAt, actionType, actionTypeVersion, actionPayload, display } = members
  const repeated = { confirmationId, createdAt, expiresAt, actionType, actionTypeVersion, actionPayload, display }
  const signed = approval === undefined ? statement : { ...statement, approval }
  write('confirmation', [signed, repeated], canonicalJson)
  const isConsistent =
    Object.keys(statement).sort().join() === STATEMENT_MEMBERS &&
    canonicalJson({ ...statement, ...repeated }) === canonicalJson(statement) &&
    statement.subject?.id === userId &&
    (approval === undefined || !([userId, approval?.delegatedBy?.id] as unknown[]).includes(statement.requester?.id))
  const committed = { challenge, nonce: isConsistent ? nonce : undefined }
  return requireCommitment(sha512, approval === undefined ? 'confirmation.v1' : 'approval.v1', committed, signed)
}
