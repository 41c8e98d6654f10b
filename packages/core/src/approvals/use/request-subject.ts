import { isDeepStrictEqual } from 'node:util'
import canonicalize from 'canonicalize'
import { isWithin } from '../../identity/records/bound.ts'
import { isTrusted } from '../../identity/records/trust.ts'
import { mayLogIn, type User } from '../../identity/records/user.ts'
import type { Instant } from '../../shared/clock.ts'
import { outcomeOf, RolledBack } from '../../shared/transactional.ts'
import { lockSigner } from '../confirmations/signatures/signers.ts'
import { statementsOf } from '../confirmations/statement.ts'
import { findPolicy } from '../policies/policy-of.ts'
import { isEndedBy, type OpenRequest, openRequest, PolicyChanged, signedBand } from '../policies/require-unchanged.ts'
import { signedPolicy } from '../policies/select-band.ts'
import { type ActionPolicy, groupsOf, sumCounts } from '../records/action-policy.ts'
import type { RequestUse } from '../records/approval.ts'
import { type ApprovalRequest, type RequestTerms, requestStatus } from '../records/approval-request.ts'
import { approvalsInGroups, type CountedApproval, countedApprovals, earliestApproval } from '../requests/counted-approvals.ts'
import {
  ApprovalExpired,
  ApprovalNotApproved,
  ApprovalNotFound,
  ApprovalRedeemed,
  OtherPolicy,
  type UncountedApproval,
} from '../requests/errors.ts'
import { peopleOf, requestersOf, usersOf } from '../requests/voters.ts'
import { ActionMismatch } from './errors.ts'
import { isSameAction } from './same-action.ts'
import type { ChosenRequest, CountedVotes, StatedPolicy, Subject, UseDeps, Wanted } from './subject.ts'

/**
 * Loads an approval request as a subject whose votes its policy counts.
 * @throws ApprovalNotFound, ActionMismatch, OtherPolicy, PolicyChanged, ApprovalRedeemed, ApprovalExpired
 * @throws ApprovalNotApproved also if the requester is disabled or locked
 */
export const loadRequest = async (
  deps: UseDeps,
  { requestId, isKnown }: ChosenRequest,
  { action, policy }: Wanted,
): Promise<Subject> => {
  const { storage } = deps
  const request = await storage.approvalRequests.byId(requestId)
  if (request === undefined || !isKnown(request)) throw new ApprovalNotFound()
  const open = openRequest(deps, request)
  const { id, actionType, expiresAt, redeemedAt, redeemedBy, redeemedKey } = request

  const count = async (now: Instant): Promise<CountedVotes | undefined> => {
    requireSameAction(open, action)
    if (request.status === 'rejected') throw new ApprovalNotApproved()
    if (requestStatus(request, false, now) === 'expired') throw new ApprovalExpired()
    const moment = await findPolicy(deps, actionType, open.terms.tenant)
    if (await isEndedBy(moment, open, now)) throw new PolicyChanged()
    requireSamePolicy(open.terms, policy)
    const requester = await requireRequester(deps, request)
    const uncounted: UncountedApproval[] = []
    const approvals = await countedApprovals(deps, request, open.terms, now, (approval) => uncounted.push(approval))
    if (approvals === undefined) return undefined
    const signed = await signedFor(deps, open, action, approvals)
    const { counted } = approvalsInGroups(signed, open.terms)
    if (counted.length < signedCount(open.terms)) {
      const others = approvals.filter((one) => !counted.includes(one)).map((one) => leftOut(one, signed.includes(one)))
      return refuse(deps, id, [...uncounted, ...others])
    }
    const votes = counted.map(({ confirmation }) => confirmation)
    return {
      votes,
      storeUse: (use) => {
        const confirmationIds = votes.map((vote) => vote.id)
        return useAll(deps, { ...open, moment }, requester, counted, { ...use, requestId: id, confirmationIds })
      },
    }
  }
  return {
    actionType,
    answer: { id, count: redeemedAt === null ? signedCount(open.terms) : request.count, expiresAt },
    used: redeemedAt === null ? undefined : { at: redeemedAt, by: redeemedBy, key: redeemedKey },
    refusals: { used: () => new ApprovalRedeemed(), notApproved: async () => new ApprovalNotApproved() },
    requireSame: async () => {
      requireSameAction(open, action)
      requireSamePolicy(open.terms, policy)
    },
    usedVotes: async () =>
      (await storage.approvalRequests.confirmationsOf(id)).filter(({ consumedAt }) => consumedAt !== null).sort(earliestApproval),
    count,
  }
}

const leftOut = ({ confirmation: { id, userId } }: CountedApproval, isSigned: boolean): UncountedApproval => ({
  userId,
  confirmationId: id,
  reason: isSigned ? 'group_complete' : 'signed_otherwise',
})

/** Refuses a use. The log and the error of the host name each approval that does not count. @throws ApprovalNotApproved */
const refuse = ({ logger }: UseDeps, approvalId: string, uncounted: readonly UncountedApproval[]): never => {
  if (uncounted.length > 0) logger.info('approvals_not_counted', { approvalId, uncounted })
  throw new ApprovalNotApproved(uncounted)
}

const signedCount = (terms: RequestTerms): number => sumCounts(groupsOf(signedBand(terms)))

const requireSameAction = ({ request: { actionType }, terms, payload }: OpenRequest, action: Wanted['action']): void => {
  const { operation, tenant } = terms
  if (!isSameAction({ actionType, actionPayload: payload, operation, tenant }, action)) throw new ActionMismatch()
}

/** Checks that a caller who states a policy knows the one under which the request was made. */
const requireSamePolicy = (terms: RequestTerms, policy: StatedPolicy | undefined): void => {
  if (policy === undefined) return
  const { digest, groups, permission, count } = policy
  const signed = signedBand(terms).groups
  const stated = groups ?? [{ permission, count }]
  const isSame =
    digest === undefined ? groupsText(stated) === groupsText(signed) : digest === signedPolicy(terms.policy, terms.band).digest
  if (!isSame) throw new OtherPolicy()
}

/** Returns a text that equal groups share, in whatever order they are stated. */
const groupsText = (groups: 'none' | readonly { permission: string | undefined; count: number | undefined }[]): string =>
  groups === 'none' ? groups : JSON.stringify(groups.map(({ permission, count }) => `${permission}:${count}`).sort())

/**
 * Returns the approvals whose users signed this request: its id, action, requester, policy and count. The signed fields are
 * encrypted in the row of the vote, so write access to the database cannot move an approval to another request.
 * @throws ActionMismatch for approvals of this request for another operation or in another tenant
 */
const signedFor = async (
  deps: UseDeps,
  { request: { id, requestedBy }, terms }: OpenRequest,
  action: Wanted['action'],
  counted: readonly CountedApproval[],
): Promise<readonly CountedApproval[]> => {
  const expected = canonicalize({ id, policy: signedPolicy(terms.policy, terms.band), count: signedCount(terms) })
  const votes = await statementsOf(
    deps,
    deps.storage,
    counted.map(({ confirmation }) => confirmation),
  )
  return counted.filter(({ confirmation }, at) => {
    const signed = votes[at]?.statement
    const { delegatedBy, ...approval } = { ...signed?.approval }
    const isOfRequest =
      signed?.requester.id === requestedBy &&
      canonicalize(approval) === expected &&
      (delegatedBy?.id ?? null) === confirmation.delegatedBy
    if (isOfRequest && !isSameAction(signed, action)) throw new ActionMismatch()
    return isOfRequest
  })
}

/** Returns the requester while the account is open. A lock or a disabling stops the requests of the account too. */
const requireRequester = async ({ users }: UseDeps, { requestedBy }: ApprovalRequest): Promise<User> => {
  const requester = await users.byId(requestedBy)
  if (requester === undefined || !mayLogIn(requester)) throw new ApprovalNotApproved()
  return requester
}

/**
 * Uses the approvals in one transaction. The rows of the users, the devices or passkeys and the policy stay locked until the end,
 * so that in between no user loses a permission, a delegation or trust, and the policy does not change. Rows are locked in one
 * order: users, delegations, devices and passkeys, the policy, the request, its confirmations.
 */
const useAll = (
  deps: UseDeps,
  open: OpenRequest & { readonly moment: ActionPolicy | undefined },
  requester: User,
  counted: readonly CountedApproval[],
  requestUse: RequestUse,
): Promise<boolean> =>
  outcomeOf(
    deps.storage.transaction(async (tx) => {
      const voters = counted.map(({ voter }) => voter)
      const parties = new Map([requester, ...voters.flatMap(usersOf)].map((user) => [user.id, user]))
      for (const { id, version } of [...parties.values()].sort((one, other) => one.id - other.id))
        if (!(await tx.users.admit(id, version))) throw new RolledBack(false)
      for (const delegation of voters.flatMap(({ delegatedBy }) => delegatedBy?.delegations ?? [])) {
        if (!(await tx.delegations.hold(delegation, requestUse.now))) throw new RolledBack(false)
      }
      const requesters = await requestersOf({ storage: tx }, requester.id, requestUse.now)
      if (voters.flatMap(peopleOf).some((id) => requesters.has(id))) throw new RolledBack(false)
      const used = counted.map(({ confirmation }) => confirmation).sort((one, other) => one.userId - other.userId)
      for (const confirmation of used) {
        const trust = await lockSigner(tx, confirmation)
        const isValid = trust !== undefined && isTrusted(trust, requestUse.now) && isWithin(trust.tenants, open.terms.tenant)
        if (!isValid) throw new RolledBack(false)
      }
      const moment = await findPolicy({ ...deps, storage: tx }, open.request.actionType, open.terms.tenant, 'hold')
      if (!isDeepStrictEqual(moment, open.moment)) throw new RolledBack(false)
      if (!(await tx.approvals.use(requestUse))) throw new RolledBack(false)
      return true
    }),
  )
