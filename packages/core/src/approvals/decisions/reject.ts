import type { Checked } from '@countersign/contract'
import type { NotifyOfChangeDeps } from '../../identity/push/notify-of-change.ts'
import { reaches } from '../../identity/records/bound.ts'
import { boundOfCaller } from '../../identity/sessions/bound-of-caller.ts'
import { notifyOfUndone, undoEndedSessions } from '../../identity/sessions/undo-ended-sessions.ts'
import type { Undone } from '../../identity/user-model/account-endings.ts'
import { outcomeOf, RolledBack } from '../../shared/transactional.ts'
import { ConfirmationUsed } from '../confirmations/errors.ts'
import { notifyOfRejectedRequest, notifyOfSettled } from '../confirmations/notify-devices.ts'
import { requirePending } from '../confirmations/require-pending.ts'
import { confirmationFields } from '../confirmations/sealed-fields.ts'
import { requireSigner, type Signer } from '../confirmations/signatures/signers.ts'
import type { ApprovalDeps } from '../deps.ts'
import { decisionOf } from '../observer.ts'
import type { Confirmation, Settlement } from '../records/confirmation.ts'
import { holdRejecter } from '../vouching/hold-rejecter.ts'
import { rejectVouching, vouchingOf } from '../vouching/settle-vouching.ts'
import { type Rejecter, rejectRequest, settleOwn } from './reject-request.ts'

/**
 * Rejects one of the caller's confirmations. Any session of the user may reject. Of approvals and rejections at the same time,
 * exactly one succeeds. With `notMe`, a trusted device also ends the session that asked, if it reaches that session, and undoes its
 * work (`undoEndedSessions`). Only a trusted device rejects a vouching: this removes the new device or passkey, ends its sessions
 * and the session that registered it, and undoes their work. A trusted device that rejects the confirmation of an approval request
 * ends the request (`rejectRequest`). If passkeys approve, a session that a trusted passkey opened, which verified its user, does
 * all of this too.
 * @throws ConfirmationNotFound, ConfirmationExpired, ConfirmationUsed
 * @throws InvalidAccessToken if the session of the caller has ended
 * @throws InsufficientTrustLevel if the session has no trusted device or passkey, and says `notMe` or rejects a vouching
 * @example await countersign.confirmations.reject({ caller, confirmationId, reason: 'Wrong amount' })
 */
export async function reject(
  deps: NotifyOfChangeDeps & Pick<ApprovalDeps, 'storage' | 'users' | 'observer' | 'endings' | 'options'>,
  input: Checked<'confirmations.reject'> & { readonly caller: Rejecter },
): Promise<void> {
  const { storage, clock } = deps
  const { confirmationId: id, reason, notMe, caller } = input
  const disowner = notMe === true ? requireSigner(deps, caller) : undefined
  const now = clock.now()
  const confirmation = await requirePending(deps, caller, id, now)
  const rejectReason = reason === undefined || reason === '' ? null : confirmationFields.rejectReason.seal(deps, id, reason)
  const rejection: Settlement = { id, userId: caller.userId, outcome: 'rejected', deviceId: null, rejectReason, now }
  const vouching = await vouchingOf(deps, confirmation)
  const settle = async (): Promise<Undone | boolean> => {
    if (vouching !== undefined) return rejectVouching(deps, rejection, vouching, caller, requireSigner(deps, caller))
    if (confirmation.approvalId !== null) return rejectRequest(deps, rejection, confirmation, caller)
    if (disowner !== undefined) return rejectAndEndSession(deps, rejection, confirmation.requestedBy, caller, disowner)
    return settleOwn(storage, rejection, caller)
  }
  const outcome = await settle()
  if (outcome === false) {
    await requirePending(deps, caller, id, now)
    throw new ConfirmationUsed()
  }
  deps.observer.confirmation(decisionOf(confirmation, 'rejected', now))
  notifyOfSettled(deps, [confirmation], caller.deviceId)
  notifyOfRejectedRequest(deps, confirmation, now)
  if (outcome !== true) notifyOfUndone(deps, caller.userId, outcome)
}

/**
 * Rejects a confirmation, ends the session that asked for it, and undoes the work of the session, in one transaction. If the
 * confirmation is not pending, the session stays, and the result is `false`.
 */
const rejectAndEndSession = async (
  deps: Pick<ApprovalDeps, 'storage' | 'endings'>,
  rejection: Settlement,
  requestedBy: Confirmation['requestedBy'],
  caller: Rejecter,
  signer: Signer,
): Promise<Undone | false> => {
  const { userId, now } = rejection
  const tenants = await boundOfCaller(deps, caller)
  return outcomeOf<Undone | false>(
    deps.storage.transaction(async (tx) => {
      await holdRejecter(tx, caller, signer, now)
      const asked = requestedBy === null ? undefined : await tx.sessions.byId(requestedBy)
      if (asked !== undefined && reaches(tenants, asked.tenants)) await tx.sessions.disown(asked.id, now)
      if (!(await tx.confirmations.settle(rejection))) throw new RolledBack(false)
      return undoEndedSessions(deps, tx, userId, now, 'of_ended_sessions')
    }),
  )
}
