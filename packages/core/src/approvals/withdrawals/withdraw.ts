import { holdSession } from '../../identity/sessions/bound-of-caller.ts'
import type { Instant } from '../../shared/clock.ts'
import { Forbidden } from '../../shared/errors.ts'
import { confirmationOfAsker } from '../askers/asked-confirmation.ts'
import { requestOfAsker } from '../askers/asked-request.ts'
import type { Asker, OfConfirmation, OfRequest } from '../askers/asker.ts'
import { ConfirmationUsed } from '../confirmations/errors.ts'
import { notifyOfSettled } from '../confirmations/notify-devices.ts'
import { stillPending } from '../confirmations/require-pending.ts'
import type { ApprovalDeps } from '../deps.ts'
import type { ApprovalStore } from '../records/approval.ts'
import type { Confirmation } from '../records/confirmation.ts'
import { ApprovalDecided, ApprovalExpired } from '../requests/errors.ts'
import { type RequestView, requestViewOf } from '../requests/request-view.ts'

/** A confirmation that was withdrawn. Its status is `expired`. */
export interface WithdrawnConfirmation {
  readonly id: string
  readonly withdrawnAt: Instant
}

/** A request that was withdrawn. */
export interface WithdrawnRequest extends RequestView {
  readonly status: 'expired'
  readonly withdrawnAt: Instant
}

/**
 * Withdraws a confirmation while nobody has decided. Of decisions and withdrawals at the same time, exactly one succeeds. Any
 * session of a user withdraws what their sessions asked for; a service what it asked for.
 * @throws ConfirmationNotFound, ConfirmationExpired, ConfirmationUsed, InvalidAccessToken
 * @throws Forbidden for what no session of the user asked for, MissingScope for a service without any `confirmation.initiate:TYPE`
 * @example
 * await countersign.confirmations.withdraw({ caller, confirmationId })
 * await countersign.services.withdraw({ service, confirmationId })
 */
export async function withdrawConfirmation(deps: ApprovalDeps, asked: OfConfirmation): Promise<WithdrawnConfirmation> {
  return withdraw(deps, asked, async () => {
    const confirmation = await confirmationOfAsker(deps, asked, 'withdraw')
    const now = deps.clock.now()
    stillPending(confirmation, now)
    const { id, userId, actionType } = confirmation
    // A user withdraws only what no service asked for.
    const initiatedBy = 'caller' in asked ? null : asked.service.name
    return {
      actionType,
      withdrawal: { confirmationId: id, userId, initiatedBy, now },
      settled: [confirmation],
      answer: { id, withdrawnAt: now },
      refusal: 'caller' in asked ? Forbidden : ConfirmationUsed,
    }
  })
}

/**
 * Withdraws an approval request while it lacks approvals. Any session of a user withdraws what their sessions asked for; a service
 * the requests that it may redeem. See `confirmations.withdraw`.
 * @throws ApprovalNotFound, ApprovalExpired, ApprovalDecided, InvalidAccessToken, Forbidden for the request of another user
 * @throws MissingScope for a service without any scope `approval.redeem:TYPE`
 * @example
 * await countersign.approvalRequests.withdraw({ caller, approvalId })
 * await countersign.approvalRequests.withdrawForService({ service, approvalId })
 */
export async function withdrawRequest(deps: ApprovalDeps, asked: OfRequest): Promise<WithdrawnRequest> {
  return withdraw(deps, asked, async () => {
    const request = await requestOfAsker(deps, asked, 'withdraw')
    const now = deps.clock.now()
    const { id, actionType, requestedBy } = request
    if ('caller' in asked && requestedBy !== asked.caller.userId) throw new Forbidden()
    const votes = await deps.storage.approvalRequests.confirmationsOf(id)
    const view = await requestViewOf(deps, request)
    if (view.status === 'expired') throw new ApprovalExpired()
    if (view.status !== 'pending') throw new ApprovalDecided()
    return {
      actionType,
      withdrawal: { requestId: id, approved: votes.filter(({ status }) => status === 'approved').length, now },
      settled: votes.filter(({ status }) => status === 'pending'),
      answer: { ...view, status: 'expired', withdrawnAt: now },
      refusal: ApprovalDecided,
    }
  })
}

/** A withdrawal that nothing speaks against at this moment. */
interface Withdrawing<Answer> {
  readonly actionType: string
  readonly withdrawal: Parameters<ApprovalStore['withdraw']>[0]
  /** The confirmations that wait no longer. */
  readonly settled: readonly Confirmation[]
  readonly answer: Answer
  /** The error if the store refuses the withdrawal again and again, though nobody had decided. */
  readonly refusal: new () => Error
}

/** The number of attempts. A vote between the check and the withdrawal makes the check start again. */
const ATTEMPTS = 3

const withdraw = async <Answer>(deps: ApprovalDeps, asker: Asker, check: () => Promise<Withdrawing<Answer>>): Promise<Answer> => {
  const { storage, observer } = deps
  for (let attempt = 1; ; attempt += 1) {
    const { actionType, withdrawal, settled, answer, refusal: Refusal } = await check()
    const isWithdrawn = await ('service' in asker
      ? storage.approvals.withdraw(withdrawal)
      : storage.transaction(async (tx) => {
          await holdSession(tx, asker.caller)
          return tx.approvals.withdraw(withdrawal)
        }))
    if (isWithdrawn) {
      observer.confirmation({ actionType, outcome: 'withdrawn' })
      notifyOfSettled(deps, settled)
      return answer
    }
    if (attempt === ATTEMPTS) throw new Refusal()
  }
}
