import { isTrusted } from '../../identity/records/trust.ts'
import { holdSession } from '../../identity/sessions/hold-session.ts'
import type { Requester } from '../confirmations/initiate.ts'
import { lockSigner, type Signing, signerOf } from '../confirmations/signatures/signers.ts'
import type { ApprovalDeps } from '../deps.ts'
import { requestTerms } from '../records/approval-request.ts'
import type { Confirmation, Settlement } from '../records/confirmation.ts'
import { searchOf } from '../requests/find-approvers.ts'
import { voterOf } from '../requests/voters.ts'

/**
 * Rejects the confirmation of an approver. A trusted device or passkey of a user whose vote would count ends the whole request. Any
 * other session only rejects the user's own confirmation, so a stolen password cannot stop the others. Returns whether the
 * confirmation was still pending.
 */
export const rejectRequest = async (
  deps: Pick<ApprovalDeps, 'storage' | 'users' | 'encryptionKeys' | 'options'>,
  rejection: Settlement,
  { approvalId, delegatedBy }: Pick<Confirmation, 'approvalId' | 'delegatedBy'>,
  caller: Rejecter,
): Promise<boolean> => {
  const { storage, users } = deps
  const request = approvalId === null ? undefined : await storage.approvalRequests.byId(approvalId)
  const { userId } = caller
  const signer = signerOf(deps, caller)
  const own = () => settleOwn(storage, rejection, caller)
  if (request === undefined || signer === undefined) return own()
  const user = await users.byId(userId)
  const terms = requestTerms.open(deps, request.id, request.terms)
  const { id, rejectReason, now } = rejection
  const search = await searchOf(deps, terms, request.requestedBy, now)
  if ((await voterOf(deps, user, search, delegatedBy)) === undefined) return own()
  return storage.transaction(async (tx) => {
    await holdSession(tx, caller)
    const trust = await lockSigner(tx, signer)
    if (trust === undefined || !isTrusted(trust, now)) return tx.confirmations.settle(rejection)
    return tx.approvalRequests.reject({ id, userId, approvalId: request.id, rejectReason, now })
  })
}

/** The caller who rejects. If a session is given, it must be live. Only a trusted device or passkey can say `notMe`. */
export type Rejecter = Requester & Signing

/** Settles the confirmation of a caller, without further effect. Returns whether it was pending. @throws InvalidAccessToken */
export const settleOwn = (storage: ApprovalDeps['storage'], rejection: Settlement, caller: Rejecter): Promise<boolean> =>
  storage.transaction(async (tx) => {
    await holdSession(tx, caller)
    return tx.confirmations.settle(rejection)
  })
