import type { ApprovalStatus, Checked } from '@countersign/contract'
import { boundOfService, type CallingService, hasScope, requireAnyScope } from '../../identity/authentication/calling-service.ts'
import { isWithin } from '../../identity/records/bound.ts'
import { type BoundCaller, boundOfCaller } from '../../identity/sessions/bound-of-caller.ts'
import type { Instant } from '../../shared/clock.ts'
import type { ApprovalDeps } from '../deps.ts'
import type { FilledGroup } from '../policies/match-groups.ts'
import { isEndedBy, policyOfMoment, signedBand } from '../policies/require-unchanged.ts'
import { groupsOf } from '../records/action-policy.ts'
import { type ApprovalRequest, requestPayload, requestStatus, requestTerms } from '../records/approval-request.ts'
import { approvalsInGroups, countedApprovals } from './counted-approvals.ts'
import { ApprovalNotFound } from './errors.ts'

/** An approval request as its readers see it. */
export interface RequestView {
  readonly id: string
  /** `expired` also if the current policy ended the request. */
  readonly status: ApprovalStatus
  /** The approvals that can count at this moment; those that were consumed, for a redeemed request. */
  readonly approvals: number
  /** The approvals that the request needs, in all groups together. */
  readonly count: number
  /** The groups of the policy that the request was started under. An approval that fits two groups counts in one of them. */
  readonly groups: readonly FilledGroup[]
  readonly expiresAt: Instant
  /** The time at which the request was withdrawn; its status is `expired`. `null` for any other. */
  readonly withdrawnAt: Instant | null
}

export type ReadDeps = Pick<ApprovalDeps, 'storage' | 'users' | 'clock' | 'options' | 'encryptionKeys'>

/**
 * Returns a request to its requester, and to the users who were asked. @throws ApprovalNotFound for everybody else
 * @example const { status } = await countersign.approvalRequests.read({ caller, approvalId })
 */
export async function readRequest(
  deps: ReadDeps,
  { caller, approvalId }: Checked<'approvals.read'> & { readonly caller: BoundCaller },
): Promise<RequestView> {
  return requestViewOf(deps, await readableRequest(deps, caller, approvalId))
}

/** Returns a request that the user started, or was asked to approve, and that the session reaches. @throws ApprovalNotFound */
export const readableRequest = async (
  { storage }: Pick<ApprovalDeps, 'storage'>,
  caller: BoundCaller,
  id: string,
): Promise<ApprovalRequest> => {
  const { approvalRequests } = storage
  const { userId } = caller
  const request = await approvalRequests.byId(id)
  const tenants = await boundOfCaller({ storage }, caller)
  if (request === undefined || !isWithin(tenants, request.tenant)) throw new ApprovalNotFound()
  if (request.requestedBy !== userId) {
    const asked = await approvalRequests.confirmationsOf(id)
    if (!asked.some((one) => one.userId === userId)) throw new ApprovalNotFound()
  }
  return request
}

/**
 * Returns a request of a type for which the service has a right, and within the tenants to which its token is bound. Any other
 * request does not exist for the service.
 *
 * @throws MissingScope for a service without this right for any type, ApprovalNotFound
 */
export const requestOfService = async (
  { storage }: Pick<ApprovalDeps, 'storage'>,
  service: CallingService,
  id: string,
  right: `approval.${string}:`,
): Promise<ApprovalRequest> => {
  requireAnyScope(service, right)
  const request = await storage.approvalRequests.byId(id)
  const isKnown =
    request && hasScope(service, `${right}${request.actionType}`) && isWithin(boundOfService(service), request.tenant)
  if (!isKnown) throw new ApprovalNotFound()
  return request
}

/**
 * Returns a request to a service with the scope `approval.read:TYPE`. For a service without the scope of the request's type, or
 * whose token is bound to other tenants of the host, the request does not exist.
 * @throws MissingScope for a service without any such scope, ApprovalNotFound
 * @example const { status } = await countersign.approvalRequests.readForService({ service, approvalId })
 */
export async function readRequestForService(
  deps: ReadDeps,
  { service, approvalId }: Checked<'services.approval'> & { readonly service: CallingService },
): Promise<RequestView> {
  return requestViewOf(deps, await requestOfService(deps, service, approvalId, 'approval.read:'))
}

/** Returns a request as its readers see it at this moment. */
export const requestViewOf = async (deps: ReadDeps, request: ApprovalRequest): Promise<RequestView> => {
  const now = deps.clock.now()
  const { id, status, count, expiresAt, withdrawnAt } = request
  const terms = requestTerms.open(deps, id, request.terms)
  if (status === 'redeemed') {
    const groups = groupsOf(signedBand(terms)).map((group) => ({ ...group, approvals: group.count }))
    return { id, status, approvals: count, count, groups, expiresAt, withdrawnAt }
  }
  const approvals = await countedApprovals(deps, request, terms, now)
  if (approvals === undefined) {
    const redeemed = await deps.storage.approvalRequests.byId(id)
    if (redeemed === undefined) throw new ApprovalNotFound()
    return requestViewOf(deps, redeemed)
  }
  const { counted, groups } = approvalsInGroups(approvals, terms)
  const current = requestStatus(request, counted.length === count, now)
  const view = { id, status: current, approvals: approvals.length, count, groups, expiresAt, withdrawnAt }
  if (current === 'rejected' || current === 'expired') return view
  const { value: payload } = requestPayload.open(deps, id, request.payload)
  const open = { request, terms, payload }
  return (await isEndedBy(await policyOfMoment(deps, open), open, now)) ? { ...view, status: 'expired' } : view
}
