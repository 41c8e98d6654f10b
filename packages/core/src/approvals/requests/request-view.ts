import type { ApprovalStatus } from '@countersign/contract'
import type { Displays } from '@countersign/contract/display'
import type { User } from '../../identity/records/user.ts'
import type { Instant } from '../../shared/clock.ts'
import { confirmationFields } from '../confirmations/sealed-fields.ts'
import type { ApprovalDeps } from '../deps.ts'
import type { FilledGroup } from '../policies/match-groups.ts'
import { isEnded, openRequest, signedBand } from '../policies/require-unchanged.ts'
import { groupsOf } from '../records/action-policy.ts'
import { type ApprovalRequest, requestDisplay, requestStatus, requestTerms } from '../records/approval-request.ts'
import type { Confirmation } from '../records/confirmation.ts'
import { userRequester } from '../records/statement.ts'
import {
  type ApprovedConfirmation,
  approvalsInGroups,
  countedApprovals,
  earliestApproval,
  isApproval,
} from './counted-approvals.ts'
import { ApprovalNotFound } from './errors.ts'

/** A user in a request. The name is `null` after the user was deleted. */
export interface NamedPerson {
  readonly id: number
  readonly name: string | null
}

/** An approval of a request. */
export interface RequestVote extends NamedPerson {
  readonly at: Instant
  /** Whether the approval can count at this moment; in a redeemed request, whether it was used. */
  readonly counts: boolean
}

/** An approval request as its readers see it. */
export interface RequestView extends Pick<ApprovalRequest, 'id' | 'count' | 'expiresAt' | 'withdrawnAt'> {
  /** `expired` also if the current policy ended the request. */
  readonly status: ApprovalStatus
  /** The approvals that can count at this moment; those that were consumed, for a redeemed request. */
  readonly approvals: number
  /** The groups of the policy that the request was started under. An approval that fits two groups counts in one of them. */
  readonly groups: readonly FilledGroup[]
  /** The user who rejected or stopped the request, and when; `null` for any other. */
  readonly stoppedBy: (NamedPerson & { readonly at: Instant }) | null
  /** Why the request was rejected or stopped; `null` without a reason, and after the user who gave it was deleted. */
  readonly reason: string | null
  /** The approvals, the earliest first. */
  readonly votes: readonly RequestVote[]
  readonly requestedBy: NamedPerson
  /** The words that the approvers sign, by language. */
  readonly display: Displays
}

export const personNamed = (id: number, user: User | undefined): NamedPerson => ({
  id,
  name: user === undefined ? null : userRequester(user).name,
})

const personOfId = async ({ users }: ApprovalDeps, id: number): Promise<NamedPerson> => personNamed(id, await users.byId(id))

const toldOf = async (deps: ApprovalDeps, request: ApprovalRequest, votes: readonly Confirmation[]) => {
  const { id, stoppedBy, stoppedAt } = request
  const requestedBy = await personOfId(deps, request.requestedBy)
  const display = requestDisplay.open(deps, id, request.display)
  if (stoppedBy === null || stoppedAt === null) return { stoppedBy: null, reason: null, requestedBy, display }
  const vote = votes.find(({ userId }) => userId === stoppedBy)
  const reason = vote?.rejectReason ? confirmationFields.rejectReason.open(deps, vote.id, vote.rejectReason) : null
  return { stoppedBy: { ...(await personOfId(deps, stoppedBy)), at: stoppedAt }, reason, requestedBy, display }
}

const votesOf = (deps: ApprovalDeps, all: readonly Confirmation[], counts: (vote: Confirmation) => boolean) => {
  const votedBy = async (vote: ApprovedConfirmation): Promise<RequestVote> => ({
    ...(await personOfId(deps, vote.userId)),
    at: vote.evidence.approvedAt,
    counts: counts(vote),
  })
  return Promise.all(all.filter(isApproval).sort(earliestApproval).map(votedBy))
}

/** Returns a request as its readers see it at this moment. */
export const requestViewOf = async (deps: ApprovalDeps, request: ApprovalRequest): Promise<RequestView> => {
  const now = deps.clock.now()
  const { id, status, count, expiresAt, withdrawnAt } = request
  const confirmations = await deps.storage.approvalRequests.confirmationsOf(id)
  const facts = { id, count, expiresAt, withdrawnAt, ...(await toldOf(deps, request, confirmations)) }
  const terms = requestTerms.open(deps, id, request.terms)
  if (status === 'redeemed') {
    const groups = groupsOf(signedBand(terms)).map((group) => ({ ...group, approvals: group.count }))
    const votes = await votesOf(deps, confirmations, ({ consumedAt }) => consumedAt !== null)
    return { ...facts, status, approvals: count, groups, votes }
  }
  const approvals = await countedApprovals(deps, request, terms, now)
  if (approvals === undefined) {
    const redeemed = await deps.storage.approvalRequests.byId(id)
    if (redeemed === undefined) throw new ApprovalNotFound()
    return requestViewOf(deps, redeemed)
  }
  const { counted, groups } = approvalsInGroups(approvals, terms)
  const current = requestStatus(request, counted.length === count, now)
  const countedIds = new Set(approvals.map(({ confirmation }) => confirmation.id))
  const votes = await votesOf(deps, confirmations, (vote) => countedIds.has(vote.id))
  const view = { ...facts, status: current, approvals: approvals.length, groups, votes }
  if (current === 'rejected' || current === 'expired') return view
  return (await isEnded(deps, openRequest(deps, request), now)) ? { ...view, status: 'expired' } : view
}
