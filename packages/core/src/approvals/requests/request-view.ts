import type { ApprovalStatus } from '@countersign/contract'
import type { Instant } from '../../shared/clock.ts'
import { confirmationFields } from '../confirmations/sealed-fields.ts'
import type { ApprovalDeps } from '../deps.ts'
import type { FilledGroup } from '../policies/match-groups.ts'
import { isEndedBy, policyOfMoment, signedBand } from '../policies/require-unchanged.ts'
import { groupsOf } from '../records/action-policy.ts'
import { type ApprovalRequest, requestPayload, requestStatus, requestTerms } from '../records/approval-request.ts'
import { userRequester } from '../records/statement.ts'
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
  /** The user who stopped the request; `null` for any other. The name is `null` after the user was deleted. */
  readonly stoppedBy: { readonly id: number; readonly name: string | null } | null
  /** Why the request was stopped; `null` for any other, and after the user who stopped it was deleted. */
  readonly reason: string | null
}

/** The ports that a view of a request needs. */
export type ViewDeps = Pick<ApprovalDeps, 'storage' | 'users' | 'clock' | 'options' | 'encryptionKeys'>

/** Returns who stopped a request, and why. */
const stopOf = async (deps: ViewDeps, { id, stoppedBy }: ApprovalRequest): Promise<Pick<RequestView, 'stoppedBy' | 'reason'>> => {
  if (stoppedBy === null) return { stoppedBy: null, reason: null }
  const vote = (await deps.storage.approvalRequests.confirmationsOf(id)).find(({ userId }) => userId === stoppedBy)
  const user = await deps.users.byId(stoppedBy)
  return {
    stoppedBy: { id: stoppedBy, name: user === undefined ? null : userRequester(user).name },
    reason: vote?.rejectReason ? confirmationFields.rejectReason.open(deps, vote.id, vote.rejectReason) : null,
  }
}

/** Returns a request as its readers see it at this moment. */
export const requestViewOf = async (deps: ViewDeps, request: ApprovalRequest): Promise<RequestView> => {
  const now = deps.clock.now()
  const { id, status, count, expiresAt, withdrawnAt } = request
  const stopped = await stopOf(deps, request)
  const terms = requestTerms.open(deps, id, request.terms)
  if (status === 'redeemed') {
    const groups = groupsOf(signedBand(terms)).map((group) => ({ ...group, approvals: group.count }))
    return { id, status, approvals: count, count, groups, expiresAt, withdrawnAt, ...stopped }
  }
  const approvals = await countedApprovals(deps, request, terms, now)
  if (approvals === undefined) {
    const redeemed = await deps.storage.approvalRequests.byId(id)
    if (redeemed === undefined) throw new ApprovalNotFound()
    return requestViewOf(deps, redeemed)
  }
  const { counted, groups } = approvalsInGroups(approvals, terms)
  const current = requestStatus(request, counted.length === count, now)
  const view = { id, status: current, approvals: approvals.length, count, groups, expiresAt, withdrawnAt, ...stopped }
  if (current === 'rejected' || current === 'expired') return view
  const { value: payload } = requestPayload.open(deps, id, request.payload)
  const open = { request, terms, payload }
  return (await isEndedBy(await policyOfMoment(deps, open), open, now)) ? { ...view, status: 'expired' } : view
}
