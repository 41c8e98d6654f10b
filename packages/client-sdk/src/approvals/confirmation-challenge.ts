import type { ActionType } from '@countersign/contract'
import { write } from '../http/to-request.ts'
import type { PendingConfirmation } from '../identity/devices/device-signer.ts'
import { canonicalJson } from '../shared/encoding/canonical-json.ts'
import { type Digest, requireCommitment } from '../shared/encoding/commitment.ts'

const contractTypes: Readonly<Record<ActionType, 1>> = {
  payment_approval: 1,
  document_approval: 1,
  purchase_order: 1,
  user_access: 1,
  settings_change: 1,
  password_change: 1,
  device_register: 1,
  sensitive_data_access: 1,
}

const isGiven = (value: unknown): boolean => value !== undefined && value !== null

/**
 * Returns the challenge of a confirmation if it covers the action that the confirmation shows. A signature of the challenge
 * commits the signer to this action (PSD2 RTS, article 5: dynamic linking). For a registered action type, the signature also
 * covers the words of `display`. The statement of an approval request also has the request, the requester and the number of
 * approvals. A confirmation of another domain is refused. So are words, or a request, that the signature would not cover,
 * words for a built-in action type, which no operator can register, and a request of the approver's own.
 *
 * @throws CountersignError `CHALLENGE_MISMATCH`
 */
export const confirmationChallenge = async (sha512: Digest, shown: PendingConfirmation): Promise<string> => {
  const { confirmationId, userId, actionType, actionPayload, expiresAt, challenge, nonce, ...more } = { ...shown }
  const { statementVersion, actionTypeVersion, display, approvalId, requestedBy, count } = more
  const isRegistered = isGiven(actionTypeVersion)
  const own = isRegistered ? 'confirmation.v2' : 'confirmation.v1'
  // An older service sends no domain.
  const { domain = `countersign.${own}` } = more
  const purpose = domain === 'countersign.approval.v1' ? 'approval.v1' : own
  const words = isRegistered ? { actionTypeVersion, display } : {}
  const request = { approvalId, requestedBy, count }
  const statement = { confirmationId, userId, actionType, actionPayload, expiresAt, ...words, ...(purpose !== own && request) }
  write('confirmation', statement, canonicalJson)
  const isConsistent =
    domain === `countersign.${purpose}` &&
    isGiven(display) === isRegistered &&
    Object.values(request).every((value) => isGiven(value) === (purpose !== own)) &&
    requestedBy !== userId &&
    !(isRegistered && Object.hasOwn(contractTypes, actionType)) &&
    // An older service sends no version.
    [undefined, isRegistered ? 2 : 1].includes(statementVersion)
  const committed = { challenge, nonce: isConsistent ? nonce : undefined }
  return requireCommitment(sha512, purpose, committed, statement)
}
