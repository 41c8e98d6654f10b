import { signerIdOf } from '../../identity/records/trust-store.ts'
import type { BoundCaller } from '../../identity/sessions/bound-of-caller.ts'
import { undoEndedSessions } from '../../identity/sessions/undo-ended-sessions.ts'
import type { Undone } from '../../identity/user-model/account-endings.ts'
import { outcomeOf, RolledBack } from '../../shared/transactional.ts'
import { type Signer, trustOf } from '../confirmations/signatures/signers.ts'
import type { ApprovalDeps, ApprovalStorage } from '../deps.ts'
import type { Settlement } from '../records/approval.ts'
import type { Approval, ApprovalOutcome, Confirmation } from '../records/confirmation.ts'
import type { Vouching, VouchingSubject } from '../records/vouching.ts'
import { disownAsker, holdRejecter } from './hold-rejecter.ts'

/** Approves a vouching and makes its subject trusted, in one transaction; with `ends`, also unbound. */
export const approveVouching = (
  { storage }: ApprovalDeps,
  approval: Approval,
  subject: VouchingSubject,
  bound?: 'ends',
): Promise<ApprovalOutcome> =>
  outcomeOf(
    storage.transaction(async (tx) => {
      const { userId, now } = approval
      await tx.trust.lock(userId)
      // Approved before anything becomes trusted: otherwise the new device could approve its own vouching.
      const outcome = await tx.confirmations.approve(approval)
      if (outcome !== 'approved') throw new RolledBack(outcome)
      const named = { kind: subject.kind, id: subject.subjectId }
      const isNew = await tx.trust.makeTrusted({ userId, ...named }, now, bound)
      const signer = { userId, deviceId: null, passkeyId: null, ...signerIdOf(named) }
      if (!isNew && (await trustOf(tx, signer)) === undefined) throw new RolledBack<ApprovalOutcome>('not_pending')
      return outcome
    }),
  )

export interface UndoneByRejection {
  /** The work of the sessions that ended; absent if the rejection must end none. */
  readonly undone?: Undone
  /** Whether the session that asked was live, and has ended. */
  readonly sessionEnded: boolean
}

/**
 * Rejects a vouching in one transaction: removes the new device or passkey, ends its sessions and the session that registered it,
 * and undoes their work. Returns `false`, and changes nothing, if the confirmation is not pending.
 * @throws InvalidAccessToken, InsufficientTrustLevel if the rejecting device or passkey is no longer there or trusted
 */
export const rejectVouching = async (
  deps: ApprovalDeps,
  rejection: Settlement,
  vouching: Vouching,
  caller: BoundCaller,
  signer: Signer,
): Promise<UndoneByRejection | false> => {
  const { userId, now } = rejection
  const { kind, subjectId, registeredBy } = vouching
  return outcomeOf<UndoneByRejection | false>(
    deps.storage.transaction(async (tx) => {
      await holdRejecter(tx, caller, signer, now)
      await tx[`${kind}s`].remove(userId, subjectId, now)
      await tx.sessions.endAll({ userId, ...signerIdOf({ kind, id: subjectId }) }, `${kind}_removed`, now)
      const sessionEnded = await disownAsker(tx, registeredBy, now)
      if (!(await tx.approvals.settle(rejection))) throw new RolledBack(false)
      const undone = await undoEndedSessions(deps, tx, userId, now, 'of_ended_sessions')
      const removed = `${kind}s` as const
      return { undone: { ...undone, [removed]: [subjectId, ...undone[removed]] }, sessionEnded }
    }),
  )
}

/** Returns the vouching that a confirmation decides. One of type `device_register` that a caller initiated decides none. */
export const vouchingOf = async (
  { storage }: ApprovalStorage,
  { id, userId, actionType }: Pick<Confirmation, 'id' | 'userId' | 'actionType'>,
): Promise<Vouching | undefined> =>
  actionType === 'device_register' ? storage.vouchings.find({ userId, confirmationId: id }) : undefined
