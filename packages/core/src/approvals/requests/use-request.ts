import { isDeepStrictEqual } from 'node:util'
import canonicalize from 'canonicalize'
import { isWithin } from '../../identity/records/bound.ts'
import { isTrusted } from '../../identity/records/trust.ts'
import { mayLogIn, type User } from '../../identity/records/user.ts'
import type { Instant } from '../../shared/clock.ts'
import { outcomeOf, RolledBack } from '../../shared/transactional.ts'
import { confirmationFields } from '../confirmations/sealed-fields.ts'
import { lockSigner } from '../confirmations/signatures/signers.ts'
import { statementsOf } from '../confirmations/statement.ts'
import { ActionMismatch } from '../consumption/errors.ts'
import { type ComparedAction, isSameAction } from '../consumption/same-action.ts'
import type { ApprovalDeps } from '../deps.ts'
import { isEndedBy, type OpenRequest, PolicyChanged, policyOfMoment, signedBand } from '../policies/require-unchanged.ts'
import { signedPolicy } from '../policies/select-band.ts'
import { type ActionPolicy, groupsOf, sumCounts } from '../records/action-policy.ts'
import {
  type ApprovalRequest,
  type Redemption,
  type RequestTerms,
  requestPayload,
  requestStatus,
  requestTerms,
} from '../records/approval-request.ts'
import { approvalsInGroups, type CountedApproval, countedApprovals, earliestApproval } from './counted-approvals.ts'
import {
  ApprovalExpired,
  ApprovalNotApproved,
  ApprovalNotFound,
  ApprovalRedeemed,
  OtherPolicy,
  type UncountedApproval,
} from './errors.ts'
import { peopleOf, requestersOf, type Voter } from './voters.ts'

/** The ports that the use of an approval request needs. */
export type UseRequestDeps = Pick<
  ApprovalDeps,
  'storage' | 'users' | 'clock' | 'options' | 'encryptionKeys' | 'random' | 'issueReceipt' | 'observer' | 'logger'
>

/** A redeemed request, with the receipt of each approval that was consumed, the earliest first. */
export interface RedeemedRequest {
  readonly id: string
  readonly count: number
  readonly expiresAt: Instant
  readonly redeemedAt: Instant
  readonly receipts: readonly string[]
}

/** The number of attempts. A change of an approver or of the policy after the check makes the check start again. */
const ATTEMPTS = 3

/** The policy as a caller states it: the digest, the groups, or permission and count if one group applies. */
export interface StatedPolicy {
  readonly digest?: string | undefined
  readonly groups?: 'none' | readonly { readonly permission: string; readonly count: number }[] | undefined
  readonly permission?: string | undefined
  readonly count?: number | undefined
}

/** The use of an approval request: which one, for which exact action and policy, and by whom. */
export interface RequestUse {
  readonly approvalId: string
  /** Returns whether the caller may know of the request. */
  readonly isKnown: (request: ApprovalRequest) => boolean
  readonly action: ComparedAction
  readonly policy: StatedPolicy
  /** The consumer, from `consumerName`. */
  readonly usedBy: string
  /** The idempotency key of the use. */
  readonly usedKey: string | null
  /** Whether the same consumer may use the request again with the same key, which then changes nothing. */
  readonly mayRepeat: boolean
}

/**
 * Uses an approval request: consumes exactly as many approvals as it needs, or none. The receipts are made first, so approvals
 * whose receipts cannot be made are not consumed. If the host configured no receipts, their list is empty.
 *
 * @throws ApprovalNotFound, ActionMismatch, OtherPolicy, ApprovalRedeemed, ApprovalExpired
 * @throws PolicyChanged if the current policy asks for more than the policy that the approvers signed
 * @throws ApprovalNotApproved also if the requester is disabled or locked
 */
export const useRequest = async (deps: UseRequestDeps, use: RequestUse): Promise<RedeemedRequest> => {
  const { storage, clock, issueReceipt, observer } = deps
  const { approvalId, action, policy, usedBy, usedKey, mayRepeat } = use
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const request = await storage.approvalRequests.byId(approvalId)
    if (request === undefined || !use.isKnown(request)) throw new ApprovalNotFound()
    const open = openRequest(deps, request)
    if (request.redeemedAt !== null) {
      const isSame = mayRepeat && request.redeemedBy === usedBy && request.redeemedKey === usedKey
      if (!isSame) throw new ApprovalRedeemed()
      requireSameAction(open, action)
      requireSamePolicy(open.terms, policy)
      return repeat(deps, request, request.redeemedAt)
    }
    requireSameAction(open, action)
    const now = clock.now()
    if (request.status === 'rejected') throw new ApprovalNotApproved()
    if (requestStatus(request, false, now) === 'expired') throw new ApprovalExpired()
    const moment = await policyOfMoment(deps, open)
    if (await isEndedBy(moment, open, now)) throw new PolicyChanged()
    requireSamePolicy(open.terms, policy)
    const { id, expiresAt } = request
    const count = sumCounts(groupsOf(signedBand(open.terms)))
    const requester = await requireRequester(deps, request)
    const uncounted: UncountedApproval[] = []
    const approvals = await countedApprovals(deps, request, open.terms, now, (approval) => uncounted.push(approval))
    if (approvals === undefined) continue
    const signed = await signedFor(deps, open, action, approvals)
    const { counted } = approvalsInGroups(signed, open.terms)
    if (counted.length < count) {
      const others = approvals.filter((one) => !counted.includes(one)).map((one) => leftOut(one, signed.includes(one)))
      return refuse(deps, id, [...uncounted, ...others])
    }
    const issued = { issuedAt: now, stores: storage }
    const receipts = await Promise.all(
      issueReceipt === undefined ? [] : counted.map(({ confirmation }) => issueReceipt(confirmation, issued)),
    )
    const confirmationIds = counted.map(({ confirmation }) => confirmation.id)
    const kept = new Map(mayRepeat ? receipts.map((one, at) => keptReceipt(deps, confirmationIds[at] ?? '', one)) : [])
    const redemption = { id, confirmationIds, redeemedBy: usedBy, redeemedKey: usedKey, receipts: kept, now }
    if (await consumeAll(deps, { ...open, moment }, requester, counted, redemption)) {
      for (const _ of counted) observer.confirmation({ actionType: request.actionType, outcome: 'consumed' })
      return { id, count, expiresAt, redeemedAt: now, receipts }
    }
  }
  throw new ApprovalNotApproved()
}

const leftOut = ({ confirmation: { id, userId } }: CountedApproval, isSigned: boolean): UncountedApproval => ({
  userId,
  confirmationId: id,
  reason: isSigned ? 'group_complete' : 'signed_otherwise',
})

/** Refuses a use. The log and the error of the host name each approval that does not count. @throws ApprovalNotApproved */
const refuse = ({ logger }: UseRequestDeps, approvalId: string, uncounted: readonly UncountedApproval[]): never => {
  if (uncounted.length > 0) logger.info('approvals_not_counted', { approvalId, uncounted })
  throw new ApprovalNotApproved(uncounted)
}

const keptReceipt = (deps: UseRequestDeps, id: string, receipt: string) =>
  [id, confirmationFields.consumedReceipt.seal(deps, id, receipt)] as const

/** A request with its fields decrypted. */
interface Opened extends OpenRequest {
  readonly request: ApprovalRequest
}

const openRequest = (deps: UseRequestDeps, request: ApprovalRequest): Opened => ({
  request,
  terms: requestTerms.open(deps, request.id, request.terms),
  payload: requestPayload.open(deps, request.id, request.payload).value,
})

/** Checks that the caller is about to do what the request is for. */
const requireSameAction = ({ request: { actionType }, terms, payload }: Opened, action: ComparedAction): void => {
  const { operation, tenant } = terms
  if (!isSameAction({ actionType, actionPayload: payload, operation, tenant }, action)) throw new ActionMismatch()
}

/** Checks that the caller knows the policy under which the request was made. */
const requireSamePolicy = (terms: RequestTerms, { digest, groups, permission, count }: StatedPolicy): void => {
  const signed = signedBand(terms).groups
  const stated = groups ?? [{ permission, count }]
  const isSame = digest === undefined ? groupsText(stated) === groupsText(signed) : digest === policyDigest(terms)
  if (!isSame) throw new OtherPolicy()
}

const policyDigest = ({ policy, band }: RequestTerms): string => signedPolicy(policy, band).digest

/** Returns a text that equal groups share, in whatever order they are stated. */
const groupsText = (groups: 'none' | readonly { permission: string | undefined; count: number | undefined }[]): string =>
  groups === 'none' ? groups : JSON.stringify(groups.map(({ permission, count }) => `${permission}:${count}`).sort())

/**
 * Returns the approvals whose users signed this request: its action, its id, its requester, its policy and its count. The signed
 * fields are encrypted in the row of the confirmation, so write access to the database is not enough to move an approval to
 * another request.
 *
 * @throws ActionMismatch for approvals of this request for another operation or in another tenant
 */
const signedFor = async (
  deps: UseRequestDeps,
  { request: { id, requestedBy }, terms }: Opened,
  action: ComparedAction,
  counted: readonly CountedApproval[],
): Promise<readonly CountedApproval[]> => {
  const expected = canonicalize({
    id,
    policy: signedPolicy(terms.policy, terms.band),
    count: sumCounts(groupsOf(signedBand(terms))),
  })
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
const requireRequester = async ({ users }: UseRequestDeps, { requestedBy }: ApprovalRequest): Promise<User> => {
  const requester = await users.byId(requestedBy)
  if (requester === undefined || !mayLogIn(requester)) throw new ApprovalNotApproved()
  return requester
}

/**
 * Consumes the approvals in one transaction. The rows of the users, the devices or passkeys and the policy stay locked until the
 * end, so none of the users loses a permission, a delegation or trust in between, and the policy stays. Rows are locked in one
 * order: users, delegations, devices and passkeys, the policy, the request, its confirmations.
 */
const consumeAll = (
  deps: UseRequestDeps,
  open: Opened & { readonly moment: ActionPolicy | undefined },
  requester: User,
  counted: readonly CountedApproval[],
  redemption: Redemption,
): Promise<boolean> =>
  outcomeOf(
    deps.storage.transaction(async (tx) => {
      const voters = counted.map(({ voter }) => voter)
      const parties = new Map([requester, ...voters.flatMap(votingUsers)].map((user) => [user.id, user]))
      for (const { id, version } of [...parties.values()].sort((one, other) => one.id - other.id))
        if (!(await tx.users.admit(id, version))) throw new RolledBack(false)
      for (const delegation of voters.flatMap(({ delegatedBy }) => delegatedBy?.delegations ?? [])) {
        if (!(await tx.delegations.hold(delegation, redemption.now))) throw new RolledBack(false)
      }
      const requesters = await requestersOf({ storage: tx }, requester.id, redemption.now)
      if (voters.flatMap(peopleOf).some((id) => requesters.has(id))) throw new RolledBack(false)
      const used = counted.map(({ confirmation }) => confirmation).sort((one, other) => one.userId - other.userId)
      for (const confirmation of used) {
        const trust = await lockSigner(tx, confirmation)
        const isValid = trust !== undefined && isTrusted(trust, redemption.now) && isWithin(trust.tenants, open.terms.tenant)
        if (!isValid) throw new RolledBack(false)
      }
      const moment = await policyOfMoment({ ...deps, storage: tx }, open, 'hold')
      if (!isDeepStrictEqual(moment, open.moment)) throw new RolledBack(false)
      if (!(await tx.approvalRequests.redeem(redemption))) throw new RolledBack(false)
      return true
    }),
  )

/** The users on whom a vote rests. */
const votingUsers = ({ user, delegatedBy }: Voter): readonly User[] =>
  delegatedBy === undefined ? [user] : [user, delegatedBy.giver]

/** Returns the answer of the first use again. */
const repeat = async (
  deps: UseRequestDeps,
  { id, count, expiresAt }: ApprovalRequest,
  redeemedAt: Instant,
): Promise<RedeemedRequest> => {
  const { storage, issueReceipt } = deps
  const consumed = (await storage.approvalRequests.confirmationsOf(id)).filter(({ consumedAt }) => consumedAt !== null)
  const receipts = consumed
    .sort(earliestApproval)
    .map(async (confirmation) =>
      confirmation.consumedReceipt === null
        ? ((await issueReceipt?.(confirmation, { issuedAt: redeemedAt })) ?? [])
        : confirmationFields.consumedReceipt.open(deps, confirmation.id, confirmation.consumedReceipt),
    )
  return { id, count, expiresAt, redeemedAt, receipts: (await Promise.all(receipts)).flat() }
}
