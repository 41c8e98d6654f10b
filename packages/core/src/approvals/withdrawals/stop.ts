import { notifyHost } from '../../identity/push/notify-of-change.ts'
import { holdSession } from '../../identity/sessions/bound-of-caller.ts'
import type { Instant } from '../../shared/clock.ts'
import { requestOfAsker } from '../askers/asked-request.ts'
import { notifyOfEndedRequest, notifyOfSettled } from '../confirmations/notify-devices.ts'
import { confirmationFields } from '../confirmations/sealed-fields.ts'
import { lockSigner } from '../confirmations/signatures/signers.ts'
import type { ApprovalDeps, ByCaller } from '../deps.ts'
import { type ApprovalRequest, requestStatus } from '../records/approval-request.ts'
import { ApprovalDecided, ApprovalExpired, ApprovalNotFound, ApprovalUsed } from '../requests/errors.ts'
import { type RequestView, requestViewOf } from '../requests/request-view.ts'
import { whyKeyDoesNotCount } from '../requests/why-uncounted.ts'
import { endedToo } from '../use/vote-of-request.ts'

/** A request that was stopped. */
export interface StoppedRequest extends RequestView {
  readonly status: 'rejected'
}

/**
 * Stops an approval request for good, until it is used. Whoever was asked and has a vote that would count may stop it, in a session
 * of a trusted device or passkey, also after voting. Those involved read who stopped it, and why. Of a use and a stop, one
 * succeeds.
 * @throws ApprovalNotFound for every other caller; ApprovalUsed, ApprovalExpired, ApprovalDecided, InvalidAccessToken
 * @example await countersign.approvalRequests.stop({ caller, approvalId, reason: 'The invoice is forged' })
 */
export async function stop(
  deps: ApprovalDeps,
  { approvalId, reason, caller }: ByCaller<'approvals.stop'>,
): Promise<StoppedRequest> {
  const { storage, clock, observer } = deps
  const now = clock.now()
  const request = await requestOfAsker(deps, { caller, approvalId }, 'read')
  const vote = (await storage.approvalRequests.confirmationsOf(approvalId)).find(({ userId }) => userId === caller.userId)
  const ending = vote && (await endedToo(deps, vote, caller, undefined, now))
  if (vote === undefined || ending === undefined) throw new ApprovalNotFound()
  requireOpen(request, now)

  const sealed = confirmationFields.rejectReason.seal(deps, vote.id, reason)
  const isStopped = await storage.transaction(async (tx) => {
    await holdSession(tx, caller)
    const trust = await lockSigner(tx, ending.signer)
    if (whyKeyDoesNotCount(trust, request.tenant, now) !== undefined) throw new ApprovalNotFound()
    return tx.approvals.stop({ requestId: approvalId, userId: caller.userId, reason: sealed, now })
  })
  const stored = await requestOfAsker(deps, { caller, approvalId }, 'read')
  if (!isStopped) {
    requireOpen(stored, now)
    throw new ApprovalDecided()
  }
  const { actionType, requestedBy } = request
  observer.confirmation({ actionType, outcome: 'stopped' })
  if (vote.status === 'pending') notifyOfSettled(deps, [vote], caller.deviceId)
  notifyOfEndedRequest(deps, approvalId, now, vote.id)
  notifyHost(deps, { userId: requestedBy, change: 'request_stopped', approvalId })
  return { ...(await requestViewOf(deps, stored)), status: 'rejected' }
}

/** Checks that a request can still be stopped. @throws ApprovalUsed, ApprovalExpired, ApprovalDecided */
const requireOpen = (request: ApprovalRequest, now: Instant): void => {
  const status = requestStatus(request, false, now)
  if (status === 'redeemed') throw new ApprovalUsed()
  if (status === 'expired') throw new ApprovalExpired()
  if (status === 'rejected') throw new ApprovalDecided()
}
