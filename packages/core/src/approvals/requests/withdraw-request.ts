import type { Checked } from '@countersign/contract'
import type { CallingService } from '../../identity/authentication/calling-service.ts'
import { holdSession } from '../../identity/sessions/hold-session.ts'
import type { Instant } from '../../shared/clock.ts'
import { Forbidden } from '../../shared/errors.ts'
import type { Requester } from '../confirmations/initiate.ts'
import { notifyOfSettled, type SettledDeps } from '../confirmations/notify-devices.ts'
import type { ApprovalDeps } from '../deps.ts'
import type { ApprovalRequest, RequestWithdrawal } from '../records/approval-request.ts'
import { ApprovalDecided, ApprovalExpired } from './errors.ts'
import { type ReadDeps, type RequestView, readableRequest, requestOfService, requestViewOf } from './read-request.ts'

/** A request that was withdrawn. */
export interface WithdrawnRequest extends RequestView {
  readonly status: 'expired'
  readonly withdrawnAt: Instant
}

type WithdrawDeps = ReadDeps & SettledDeps & Pick<ApprovalDeps, 'observer'>

/** The number of attempts. An approval or a rejection between the check and the withdrawal makes the check start again. */
const ATTEMPTS = 3

/**
 * Withdraws an approval request of the caller, while it lacks approvals. Its approvers are asked no longer, and the approvals that
 * it has are never used.
 * @throws ApprovalNotFound, ApprovalExpired, ApprovalDecided
 * @throws InvalidAccessToken if the session of the caller has ended
 * @throws Forbidden for a user who was asked to approve
 * @example await countersign.approvalRequests.withdraw({ caller, approvalId })
 */
export async function withdrawRequest(
  deps: WithdrawDeps,
  { caller, approvalId }: Checked<'approvals.withdraw'> & { readonly caller: Requester },
): Promise<WithdrawnRequest> {
  const request = await readableRequest(deps, caller, approvalId)
  if (request.requestedBy !== caller.userId) throw new Forbidden()
  return withdrawOpen(deps, request, (withdrawal) =>
    deps.storage.transaction(async (tx) => {
      await holdSession(tx, caller)
      return tx.approvalRequests.withdraw(withdrawal)
    }),
  )
}

/**
 * Withdraws an approval request that the service may redeem, while the request lacks approvals.
 * @throws MissingScope for a service without any scope `approval.redeem:TYPE`
 * @throws ApprovalNotFound also without the scope for the type, and outside of the tenants of the service
 * @throws ApprovalExpired, ApprovalDecided
 * @example await countersign.approvalRequests.withdrawForService({ service, approvalId })
 */
export async function withdrawRequestForService(
  deps: WithdrawDeps,
  { service, approvalId }: Checked<'services.withdrawApproval'> & { readonly service: CallingService },
): Promise<WithdrawnRequest> {
  const request = await requestOfService(deps, service, approvalId, 'approval.redeem:')
  return withdrawOpen(deps, request, (withdrawal) => deps.storage.approvalRequests.withdraw(withdrawal))
}

const withdrawOpen = async (
  deps: WithdrawDeps,
  known: ApprovalRequest,
  statement: (withdrawal: RequestWithdrawal) => Promise<boolean>,
): Promise<WithdrawnRequest> => {
  const { storage, clock, observer } = deps
  const { id } = known
  let request: ApprovalRequest | undefined = known
  for (let attempt = 0; attempt < ATTEMPTS && request !== undefined; attempt += 1) {
    const votes = await storage.approvalRequests.confirmationsOf(id)
    const view = await requestViewOf(deps, request)
    if (view.status === 'expired') throw new ApprovalExpired()
    if (view.status !== 'pending') throw new ApprovalDecided()
    const now = clock.now()
    const approved = votes.filter(({ status }) => status === 'approved').length
    if (await statement({ id, approved, now })) {
      observer.confirmation({ actionType: request.actionType, outcome: 'withdrawn' })
      notifyOfSettled(
        deps,
        votes.filter(({ status }) => status === 'pending'),
      )
      return { ...view, status: 'expired', withdrawnAt: now }
    }
    request = await storage.approvalRequests.byId(id)
  }
  throw new ApprovalDecided()
}
