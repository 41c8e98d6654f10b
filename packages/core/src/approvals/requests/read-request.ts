import type { ApprovalStatus, Checked } from '@countersign/contract'
import { type CallingService, hasScope, MissingScope } from '../../identity/authentication/calling-service.ts'
import type { Instant } from '../../shared/clock.ts'
import type { ApprovalDeps } from '../deps.ts'
import { type ApprovalRequest, requestStatus } from '../records/approval-request.ts'
import { countedApprovals } from './counted-approvals.ts'
import { ApprovalNotFound } from './errors.ts'

/** An approval request as its readers see it. */
export interface RequestView {
  readonly id: string
  readonly status: ApprovalStatus
  /** The approvals that count at this moment; those that were consumed, for a redeemed request. */
  readonly approvals: number
  /** The approvals that the request needs. */
  readonly count: number
  readonly expiresAt: Instant
}

type ReadDeps = Pick<ApprovalDeps, 'storage' | 'users' | 'clock'>

/** Returns a request to its requester, and to the users who were asked. @throws ApprovalNotFound for everybody else */
export async function readRequest(
  deps: ReadDeps,
  { caller, approvalId }: Checked<'approvals.read'> & { readonly caller: { readonly userId: number } },
): Promise<RequestView> {
  const request = await deps.storage.approvalRequests.byId(approvalId)
  if (request === undefined) throw new ApprovalNotFound()
  if (request.requestedBy !== caller.userId) {
    const asked = await deps.storage.approvalRequests.confirmationsOf(request.id)
    if (!asked.some(({ userId }) => userId === caller.userId)) throw new ApprovalNotFound()
  }
  return viewOf(deps, request)
}

const READ = 'approval.read:'

/**
 * Returns a request to a service with the scope `approval.read:TYPE`. For a service without the scope of the request's type, the
 * request does not exist.
 *
 * @throws MissingScope for a service without any such scope, ApprovalNotFound
 */
export async function readRequestForService(
  deps: ReadDeps,
  { service, approvalId }: Checked<'services.approval'> & { readonly service: CallingService },
): Promise<RequestView> {
  if (!service.scopes.some((scope) => scope.startsWith(READ) && hasScope(service, scope))) throw new MissingScope()
  const request = await deps.storage.approvalRequests.byId(approvalId)
  if (request === undefined || !hasScope(service, `${READ}${request.actionType}`)) throw new ApprovalNotFound()
  return viewOf(deps, request)
}

const viewOf = async (deps: ReadDeps, request: ApprovalRequest): Promise<RequestView> => {
  const now = deps.clock.now()
  const { id, status, count, expiresAt } = request
  const approvals = status === 'redeemed' ? count : (await countedApprovals(deps, request, now)).length
  return { id, status: requestStatus(request, approvals, now), approvals, count, expiresAt }
}
