import type { User } from '../../identity/records/user.ts'
import type { Instant } from '../../shared/clock.ts'
import { trustOf } from '../confirmations/signatures/signers.ts'
import type { ApprovalDeps } from '../deps.ts'
import { admitsSigner } from '../policies/admits-signer.ts'
import { fillGroups } from '../policies/match-groups.ts'
import { signedBand } from '../policies/require-unchanged.ts'
import type { PolicyBand } from '../records/action-policy.ts'
import type { ApprovalRequest, RequestTerms } from '../records/approval-request.ts'
import type { Confirmation, Evidence } from '../records/confirmation.ts'
import type { UncountedApproval, UncountedReason } from './errors.ts'
import { keysOfUsers, searchOf } from './find-approvers.ts'
import { countsFor, peopleOf, type Voter, voterOf } from './voters.ts'
import { whySignatureDoesNotCount, whyUserDoesNotCount } from './why-uncounted.ts'

export type ApprovedConfirmation = Confirmation & { readonly evidence: Evidence }

/** An approval that counts, with its voter as just read. */
export interface CountedApproval {
  readonly confirmation: ApprovedConfirmation
  readonly voter: Voter
}

export const isApproval = (confirmation: Confirmation): confirmation is ApprovedConfirmation =>
  confirmation.status === 'approved' && confirmation.evidence !== null

export const earliestApproval = (one: Confirmation, other: Confirmation): number =>
  (one.evidence?.approvedAt ?? 0) - (other.evidence?.approvedAt ?? 0) || (one.id < other.id ? -1 : 1)

const whyNoVoter = (approver: User | undefined, delegatedBy: number | null): UncountedReason =>
  whyUserDoesNotCount(approver) ?? (delegatedBy === null ? 'permission_missing' : 'delegation_ended')

/**
 * Returns the approvals of a request that can count at `now`, the earliest first; `undefined` if the request was redeemed
 * meanwhile. Approvers, and who delegated to them, need the permission of a group and an open account; signers must be trusted, in
 * the tenant, and of a kind that the signed policy accepts. Each person with their delegates, and each key, counts once; those of
 * the requester never.
 * @param onUncounted Is called with each approval that does not count.
 */
export const countedApprovals = async (
  { storage, users, options }: Pick<ApprovalDeps, 'storage' | 'users' | 'options'>,
  request: ApprovalRequest,
  terms: RequestTerms,
  now: Instant,
  onUncounted: (approval: UncountedApproval) => void = () => {},
): Promise<readonly CountedApproval[] | undefined> => {
  const votes = await storage.approvalRequests.confirmationsOf(request.id)
  if (request.redeemedAt === null && votes.some(({ consumedAt }) => consumedAt !== null)) return undefined
  const approved = votes
    .filter(isApproval)
    .filter(({ consumedAt, voidedAt }) => consumedAt === null && voidedAt === null)
    .sort(earliestApproval)
  const counted: CountedApproval[] = []
  const leaveOut = ({ id: confirmationId, userId }: Confirmation, reason: UncountedReason): void =>
    onUncounted({ userId, confirmationId, reason })
  for (const vote of votes) if (vote.status === 'approved' && vote.voidedAt !== null) leaveOut(vote, 'voided')
  const evidences = approved.map(({ evidence }) => evidence)
  const search = await searchOf({ storage }, terms, request.requestedBy, now)
  const keys = new Set(await keysOfUsers({ storage }, search.requesters, evidences))
  const people = new Set<number>()
  for (const confirmation of approved) {
    const { evidence, userId, delegatedBy } = confirmation
    if (search.requesters.has(userId)) leaveOut(confirmation, 'requester')
    else if (keys.has(evidence.publicKey)) leaveOut(confirmation, 'same_key')
    else if (!counts(options, search.band, confirmation)) leaveOut(confirmation, 'kind_of_key')
    else {
      const approver = await users.byId(userId)
      const voter = await voterOf({ storage, users }, approver, search, delegatedBy)
      const whyNoKey = voter && whySignatureDoesNotCount(options, await trustOf(storage, confirmation), terms.tenant, now)
      if (voter === undefined) leaveOut(confirmation, whyNoVoter(approver, delegatedBy))
      else if (peopleOf(voter).some((one) => people.has(one))) leaveOut(confirmation, 'same_person')
      else if (whyNoKey !== undefined) leaveOut(confirmation, whyNoKey)
      else {
        keys.add(evidence.publicKey)
        for (const one of peopleOf(voter)) people.add(one)
        counted.push({ confirmation, voter })
      }
    }
  }
  return counted
}

/** Returns whether an approval of this kind counts: one of a passkey only while passkeys approve. */
const counts = (
  { passkeyApprovals }: Pick<ApprovalDeps['options'], 'passkeyApprovals'>,
  band: PolicyBand,
  { evidence }: ApprovedConfirmation,
): boolean => (evidence.assertion === null || passkeyApprovals) && admitsSigner(band, evidence)

/** Returns those approvals that count in the groups of the signed policy, at most as many as it needs, and these groups. */
export const approvalsInGroups = (approvals: readonly CountedApproval[], terms: RequestTerms) =>
  fillGroups(approvals, signedBand(terms), ({ voter }, permission) => countsFor(voter, permission, terms.tenant))
