import { notifyHost } from '../../identity/push/notify-of-change.ts'
import { reaches } from '../../identity/records/bound.ts'
import { isTrusted } from '../../identity/records/trust.ts'
import { boundOfCaller, holdSession } from '../../identity/sessions/bound-of-caller.ts'
import { notifyOfUndone, undoEndedSessions } from '../../identity/sessions/undo-ended-sessions.ts'
import { outcomeOf, RolledBack } from '../../shared/transactional.ts'
import { ConfirmationUsed } from '../confirmations/errors.ts'
import type { Requester } from '../confirmations/initiate.ts'
import { notifyOfEndedRequest, notifyOfSettled } from '../confirmations/notify-devices.ts'
import { requirePending } from '../confirmations/require-pending.ts'
import { confirmationFields } from '../confirmations/sealed-fields.ts'
import { lockSigner, requireSigner, type Signing } from '../confirmations/signatures/signers.ts'
import type { ApprovalDeps, ByCaller } from '../deps.ts'
import { decisionOf } from '../observer.ts'
import type { Settlement } from '../records/approval.ts'
import { type EndedToo, endedToo } from '../use/vote-of-request.ts'
import { disownAsker, holdRejecter } from '../vouching/hold-rejecter.ts'
import { rejectVouching, type UndoneByRejection, vouchingOf } from '../vouching/settle-vouching.ts'

/**
 * Rejects one of the caller's confirmations, in any session of the user. Of approvals and rejections at the same time, exactly one
 * succeeds. With `notMe`, a trusted device or passkey also ends the session that asked, if it reaches it, and undoes its work; in a
 * vote, the host gets the notice `vote_unexpected` instead. Rejecting a vouching needs a trusted device or passkey, removes the new
 * one, ends its sessions and the one that registered it, and undoes their work. The vote of a trusted device or passkey ends the
 * whole request.
 * @throws ConfirmationNotFound, ConfirmationExpired, ConfirmationUsed, InvalidAccessToken
 * @throws InsufficientTrustLevel if the session has no trusted device or passkey, and says `notMe` or rejects a vouching
 * @example await countersign.confirmations.reject({ caller, confirmationId, reason: 'Wrong amount' })
 */
export async function reject(deps: ApprovalDeps, input: ByCaller<'confirmations.reject', Rejecter>): Promise<Rejected> {
  const { clock, storage } = deps
  const { confirmationId: id, reason, notMe, caller } = input
  const disowner = notMe === true ? requireSigner(deps, caller) : undefined
  const now = clock.now()
  const confirmation = await requirePending(deps, caller, id, now)
  const { approvalId } = confirmation
  const rejectReason = reason === undefined || reason === '' ? null : confirmationFields.rejectReason.seal(deps, id, reason)
  const rejection: Settlement = { id, userId: caller.userId, outcome: 'rejected', deviceId: null, rejectReason, now }
  const vouching = await vouchingOf(deps, confirmation)
  const ended = vouching === undefined ? await endedToo(deps, confirmation, caller, disowner, now) : undefined
  const outcome = await (vouching === undefined
    ? settle(deps, rejection, caller, ended)
    : rejectVouching(deps, rejection, vouching, caller, requireSigner(deps, caller)))
  if (outcome === false) {
    await requirePending(deps, caller, id, now)
    throw new ConfirmationUsed()
  }
  deps.observer.confirmation(decisionOf(confirmation, 'rejected', now))
  notifyOfSettled(deps, [confirmation], caller.deviceId)
  if (ended?.kind === 'request') notifyOfEndedRequest(deps, ended.id, now, id)
  if (outcome.undone !== undefined) notifyOfUndone(deps, caller.userId, outcome.undone)
  const request = notMe === true && approvalId !== null ? await storage.approvalRequests.byId(approvalId) : undefined
  if (request !== undefined) notifyHost(deps, { userId: request.requestedBy, change: 'vote_unexpected', approvalId: request.id })
  return { sessionEnded: outcome.sessionEnded }
}

/** What a rejection did. */
export interface Rejected {
  /** Whether it ended the session that asked, or the session that registered the rejected device or passkey. */
  readonly sessionEnded: boolean
}

/** The caller who rejects. If a session is given, it must be live. Only a trusted device or passkey can say `notMe`. */
export type Rejecter = Requester & Signing

/**
 * Rejects a confirmation with what ends too, in one transaction. Returns `false` if it is not pending. @throws InvalidAccessToken
 */
const settle = async (
  deps: ApprovalDeps,
  rejection: Settlement,
  caller: Rejecter,
  ended: EndedToo | undefined,
): Promise<UndoneByRejection | false> => {
  const { storage } = deps
  const { userId, now } = rejection
  if (ended?.kind !== 'session') {
    const isSettled = await storage.transaction(async (tx) => {
      await holdSession(tx, caller)
      const trust = ended && (await lockSigner(tx, ended.signer))
      return tx.approvals.settle({ ...rejection, requestId: trust && isTrusted(trust, now) ? ended?.id : undefined })
    })
    return isSettled && { sessionEnded: false }
  }
  const { id: requestedBy, signer } = ended
  const tenants = await boundOfCaller(deps, caller)
  return outcomeOf<UndoneByRejection | false>(
    storage.transaction(async (tx) => {
      await holdRejecter(tx, caller, signer, now)
      const sessionEnded = await disownAsker(tx, requestedBy, now, (asked) => reaches(tenants, asked.tenants))
      if (!(await tx.approvals.settle(rejection))) throw new RolledBack(false)
      return { undone: await undoEndedSessions(deps, tx, userId, now, 'of_ended_sessions'), sessionEnded }
    }),
  )
}
