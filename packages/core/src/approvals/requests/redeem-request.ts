import type { Checked } from '@countersign/contract'
import canonicalize from 'canonicalize'
import { type CallingService, hasScope, requireScope } from '../../identity/authentication/calling-service.ts'
import { isTrusted } from '../../identity/records/trust.ts'
import { mayLogIn, type User } from '../../identity/records/user.ts'
import type { Instant } from '../../shared/clock.ts'
import { outcomeOf, RolledBack } from '../../shared/transactional.ts'
import { confirmationFields } from '../confirmations/sealed-fields.ts'
import { statementsOf } from '../confirmations/statement.ts'
import { consumerName } from '../consumption/consume-in.ts'
import { ActionMismatch } from '../consumption/errors.ts'
import { type ComparedAction, isSameAction } from '../consumption/same-action.ts'
import type { ApprovalDeps } from '../deps.ts'
import { signedPolicy } from '../policies/signed-policy.ts'
import type { ReceiptIssuer } from '../receipt-issuer.ts'
import { ReceiptsNotConfigured } from '../receipt-keys/errors.ts'
import { type ApprovalRequest, type Redemption, requestPayload } from '../records/approval-request.ts'
import { type CountedApproval, countedApprovals, earliestApproval } from './counted-approvals.ts'
import { ApprovalExpired, ApprovalNotApproved, ApprovalNotFound, ApprovalRedeemed, OtherPolicy } from './errors.ts'

type RedeemDeps = Pick<ApprovalDeps, 'storage' | 'users' | 'clock' | 'encryptionKeys' | 'random' | 'issueReceipt' | 'observer'>

/** The redemption of an approval request by another service. */
export type RedeemRequest = Checked<'services.redeemApproval'> & { readonly service: CallingService }

/** A redeemed request, with the receipt of each approval that was consumed, the earliest first. */
export interface RedeemedRequest {
  readonly id: string
  readonly count: number
  readonly expiresAt: Instant
  readonly redeemedAt: Instant
  readonly receipts: readonly string[]
}

/** A change of an approver between the check and the consumption makes the check start again. */
const ATTEMPTS = 3

/**
 * Redeems an approval request: consumes exactly as many approvals as it needs, or none. The receipts are made first, so approvals
 * whose receipts cannot be made are not consumed. The same service with the same `idempotencyKey` gets the same answer again.
 *
 * @throws MissingScope without the scope `approval.redeem:TYPE`
 * @throws ReceiptsNotConfigured before anything is consumed
 * @throws ApprovalNotFound also for a request of a type for which the service has no scope
 * @throws ActionMismatch, OtherPolicy, ApprovalRedeemed, ApprovalExpired
 * @throws ApprovalNotApproved also if the requester is disabled or locked
 *
 * @example
 * ```ts
 * const { receipts } = await countersign.approvalRequests.redeem({
 *   service,
 *   approvalId,
 *   actionType,
 *   actionPayload,
 *   permission: 'payment.approve',
 *   count: 2,
 *   idempotencyKey: payment.id,
 * })
 * ```
 */
export async function redeemRequest(deps: RedeemDeps, input: RedeemRequest): Promise<RedeemedRequest> {
  const { storage, clock, issueReceipt, observer } = deps
  const { service, approvalId, idempotencyKey } = input
  requireScope(service, scopeOf(input.actionType))
  const redeemedBy = consumerName('service', service.name)
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const request = await storage.approvalRequests.byId(approvalId)
    if (request === undefined || !hasScope(service, scopeOf(request.actionType))) throw new ApprovalNotFound()
    if (issueReceipt === undefined) throw new ReceiptsNotConfigured()
    if (request.redeemedAt !== null) {
      const isSame = request.redeemedBy === redeemedBy && request.redeemedKey === idempotencyKey
      if (!isSame) throw new ApprovalRedeemed()
      requireSame(deps, request, input)
      return repeat(deps, request, request.redeemedAt, issueReceipt)
    }
    requireSame(deps, request, input)
    const now = clock.now()
    if (request.status === 'rejected') throw new ApprovalNotApproved()
    if (now >= request.expiresAt) throw new ApprovalExpired()
    const { id, count, expiresAt } = request
    const requester = await requireRequester(deps, request)
    const counted = (await signedFor(deps, request, input, await countedApprovals(deps, request, now))).slice(0, count)
    if (counted.length < count) throw new ApprovalNotApproved()
    const receipts = await Promise.all(counted.map(({ confirmation }) => issueReceipt(confirmation, { issuedAt: now })))
    const confirmationIds = counted.map(({ confirmation }) => confirmation.id)
    const kept = new Map(
      idempotencyKey === undefined
        ? []
        : confirmationIds.map((one, at) => [one, confirmationFields.consumedReceipt.seal(deps, one, receipts[at] ?? '')]),
    )
    const redemption = { id, confirmationIds, redeemedBy, redeemedKey: idempotencyKey ?? null, receipts: kept, now }
    if (await consumeAll(deps, requester, counted, redemption)) {
      for (const _ of counted) observer.confirmation({ actionType: request.actionType, outcome: 'consumed' })
      return { id, count, expiresAt, redeemedAt: now, receipts }
    }
  }
  throw new ApprovalNotApproved()
}

const scopeOf = (actionType: string): string => `approval.redeem:${actionType}`

/** Checks that the service is about to do what the request is for, under the policy that the service knows. */
const requireSame = (deps: RedeemDeps, request: ApprovalRequest, input: RedeemRequest): void => {
  const actionPayload: unknown = JSON.parse(requestPayload.open(deps, request.id, request.payload))
  // The operation is in the statement of each vote, and is compared there.
  const { actionType } = request
  if (!isSameAction({ actionType, actionPayload }, { ...input, operation: null })) throw new ActionMismatch()
  if (request.permission !== input.permission || request.count !== input.count) throw new OtherPolicy()
}

/**
 * Returns the approvals whose users signed this request: its action, its id, its requester, its policy and its count. The signed
 * fields are encrypted in the row of the confirmation, so nobody who can only write to the database moves an approval to another
 * request.
 *
 * @throws ActionMismatch for approvals of this request for another operation
 */
const signedFor = async (
  deps: RedeemDeps,
  { id, requestedBy, actionType, permission, count }: ApprovalRequest,
  action: ComparedAction,
  counted: readonly CountedApproval[],
): Promise<readonly CountedApproval[]> => {
  const expected = canonicalize({ id, policy: signedPolicy({ actionType, permission, count }), count })
  const votes = await statementsOf(
    deps,
    deps.storage,
    counted.map(({ confirmation }) => confirmation),
  )
  return counted.filter((_, at) => {
    const signed = votes[at]?.statement
    const isOfRequest = signed?.requester.id === requestedBy && canonicalize(signed.approval) === expected
    if (isOfRequest && !isSameAction(signed, action)) throw new ActionMismatch()
    return isOfRequest
  })
}

/** Returns the requester while the account is open. A lock or a disabling stops the requests of the account too. */
const requireRequester = async ({ users }: RedeemDeps, { requestedBy }: ApprovalRequest): Promise<User> => {
  const requester = await users.byId(requestedBy)
  if (requester === undefined || !mayLogIn(requester)) throw new ApprovalNotApproved()
  return requester
}

/**
 * Consumes the approvals in one transaction. The rows of the users and the devices stay locked until the end, so none of them
 * loses a permission or trust in between. Rows are locked in one order: users, devices, the request, its confirmations.
 */
const consumeAll = (
  { storage }: RedeemDeps,
  requester: User,
  counted: readonly CountedApproval[],
  redemption: Redemption,
): Promise<boolean> =>
  outcomeOf(
    storage.transaction(async (tx) => {
      const parties = [requester, ...counted.map(({ approver }) => approver)].sort((one, other) => one.id - other.id)
      for (const { id, version } of parties) if (!(await tx.users.admit(id, version))) throw new RolledBack(false)
      const used = counted.map(({ confirmation }) => confirmation).sort((one, other) => one.userId - other.userId)
      for (const { userId, deviceId } of used) {
        const device = await tx.devices.lock(userId, deviceId)
        if (device === undefined || !isTrusted(device, redemption.now)) throw new RolledBack(false)
      }
      if (!(await tx.approvalRequests.redeem(redemption))) throw new RolledBack(false)
      return true
    }),
  )

/** Returns the answer of the first redemption again. */
const repeat = async (
  deps: RedeemDeps,
  { id, count, expiresAt }: ApprovalRequest,
  redeemedAt: Instant,
  issueReceipt: ReceiptIssuer,
): Promise<RedeemedRequest> => {
  const consumed = (await deps.storage.approvalRequests.confirmationsOf(id)).filter(({ consumedAt }) => consumedAt !== null)
  const receipts = consumed
    .sort(earliestApproval)
    .map(async (confirmation) =>
      confirmation.consumedReceipt === null
        ? issueReceipt(confirmation, { issuedAt: redeemedAt })
        : confirmationFields.consumedReceipt.open(deps, confirmation.id, confirmation.consumedReceipt),
    )
  return { id, count, expiresAt, redeemedAt, receipts: await Promise.all(receipts) }
}
