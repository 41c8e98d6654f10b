import { InvalidAccessToken } from '../../identity/authentication/errors.ts'
import { seconds } from '../../shared/clock.ts'
import { Invalid } from '../../shared/errors.ts'
import { seenClient } from '../../shared/from-client.ts'
import { randomUuid } from '../../shared/random.ts'
import { isOwnType, ownTypesText } from '../action-types/action-type.ts'
import { buildConfirmation } from '../confirmations/build-confirmation.ts'
import type { Requester } from '../confirmations/initiate.ts'
import { notifyDevices } from '../confirmations/notify-devices.ts'
import { requireAsker } from '../confirmations/require-asker.ts'
import { takeStart } from '../confirmations/take-start.ts'
import type { ApprovalDeps, AskingInput, ByCaller } from '../deps.ts'
import { findPolicy, policyOf } from '../policies/policy-of.ts'
import { signedBand } from '../policies/require-unchanged.ts'
import { requireBand, signedPolicy } from '../policies/select-band.ts'
import { groupsOf, sumCounts } from '../records/action-policy.ts'
import { type ApprovalRequest, requestDisplay, requestPayload, requestTerms } from '../records/approval-request.ts'
import { askedBy, personOf, userRequester } from '../records/statement.ts'
import { TooFewApprovers, TooManyApprovalRequests } from './errors.ts'
import { findApprovers, stillWanted } from './find-approvers.ts'
import { personNamed, type RequestView } from './request-view.ts'
import { namedDelegator } from './voters.ts'

export type StartRequest = ByCaller<'approvals.start', Requester> & AskingInput

/**
 * Creates an approval request, and asks the users who can approve it now (see `findApprovers`); others later, when they read their
 * pending confirmations. The policy of the action type alone decides who can, and how many must. Without need of anybody, it is
 * approved at once. Number matching never applies: approvers do not see the page of the requester.
 * @throws Invalid for `device_register` and `password_change`, an unknown type, a payload that its schema refuses or a band cannot
 *   check, and without `context.reason` if the band requires one
 * @throws Forbidden in a tenant in which the user must not ask (see `requireAsker`), RateLimited (see `takeStart`)
 * @throws NoApprovalPolicy, NoHolders, TooFewApprovers, TooManyApprovalRequests, InvalidAccessToken
 * @example const { id, count } = await countersign.approvalRequests.start({ caller, actionType, actionPayload })
 */
export async function startRequest(deps: ApprovalDeps, input: StartRequest): Promise<RequestView> {
  const { storage, clock, options, random, background } = deps
  const { caller, actionType, payload } = input
  if (isOwnType(actionType)) throw new Invalid({ actionType: `must not be ${ownTypesText}` })
  const tenant = input.tenant ?? null
  const { user: requester, tenants } = await requireAsker(deps, caller, tenant, () => permissionsNamed(deps, actionType, tenant))
  const asked = askedBy(userRequester(requester), input)
  const policy = await policyOf(deps, actionType, asked.tenant)
  const terms = { policy, band: await requireBand(policy, payload.value), tenant: asked.tenant, operation: asked.operation }
  const band = signedBand(terms)
  const count = sumCounts(groupsOf(band))
  if (band.reasonRequired === true && asked.context?.reason === undefined) {
    throw new Invalid({ 'context.reason': 'must say why the action is needed' })
  }
  const described = await deps.describeAction({ actionType, actionPayload: payload.value, asked, count })
  const now = clock.now()
  const limit = options.openApprovalRequestsPerUser
  if ((await storage.approvalRequests.openOf(caller.userId, now, tenants)) >= limit) throw new TooManyApprovalRequests()
  const { approvers, areEnough } = await findApprovers(deps, { band, tenant, requestedBy: caller.userId, now })
  if (!areEnough) throw new TooFewApprovers()
  await takeStart(deps, 'approval', caller, tenants)

  const id = `appr_${randomUuid(random)}`
  const expiresAt = now + (band.expiresIn === undefined ? options.approvalRequestLifetime : seconds(band.expiresIn))
  const approval = { id, policy: signedPolicy(policy, terms.band), count }
  const confirmations = approvers.map((approver) => {
    const vote = {
      subject: personOf(approver.user),
      asked,
      actionType,
      payload,
      requestedFrom: seenClient(input),
      // No device of an approver can end the session of the requester.
      requestedBy: null,
      numberMatching: false,
      ...described,
      approval: { ...approval, ...namedDelegator(approver) },
      expiresAt,
    } as const
    return buildConfirmation(deps, vote, now).confirmation
  })
  const request: ApprovalRequest = {
    id,
    requestedBy: caller.userId,
    requestedIn: caller.sessionId ?? null,
    tenant,
    boundTo: tenants,
    actionType,
    payload: requestPayload.seal(deps, id, payload),
    display: requestDisplay.seal(deps, id, described.display),
    terms: requestTerms.seal(deps, id, terms),
    count,
    status: 'pending',
    createdAt: now,
    expiresAt,
    redeemedAt: null,
    redeemedBy: null,
    redeemedKey: null,
    withdrawnAt: null,
    stoppedBy: null,
    stoppedAt: null,
  }
  if (
    !(await storage.approvalRequests.open(request, confirmations, limit, stillWanted({ band, tenant }, confirmations.length)))
  ) {
    const { sessionId, userId } = caller
    if (sessionId !== undefined && !(await storage.sessions.hold(sessionId, userId))) throw new InvalidAccessToken()
    throw new TooManyApprovalRequests()
  }
  background.run(async () => {
    for (const confirmation of confirmations) await notifyDevices(deps, confirmation)
  })
  const groups = groupsOf(band).map((group) => ({ ...group, approvals: 0 }))
  const status = count === 0 ? 'approved' : 'pending'
  const requestedBy = personNamed(requester.id, requester)
  const undecided = { approvals: 0, votes: [], withdrawnAt: null, stoppedBy: null, reason: null }
  return { id, status, count, groups, expiresAt, requestedBy, display: described.display, ...undecided }
}

/** Returns the permissions that the policy names; none without a policy, so that a refusal does not reveal whether there is one. */
const permissionsNamed = async (
  deps: ApprovalDeps,
  actionType: string,
  tenant: string | null,
): Promise<readonly `${string}.${string}`[]> => {
  const policy = await findPolicy(deps, actionType, tenant)
  return policy?.bands.flatMap(groupsOf).map(({ permission }) => permission) ?? []
}
