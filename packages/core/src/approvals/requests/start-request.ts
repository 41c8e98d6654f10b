import type { Checked } from '@countersign/contract'
import { InvalidAccessToken } from '../../identity/authentication/errors.ts'
import { Invalid } from '../../shared/errors.ts'
import { type FromClient, seenClient } from '../../shared/from-client.ts'
import { randomUuid } from '../../shared/random.ts'
import { isOwnType, ownTypesText } from '../action-types/action-type.ts'
import { buildConfirmation } from '../confirmations/build-confirmation.ts'
import type { Requester } from '../confirmations/initiate.ts'
import { notifyDevices } from '../confirmations/notify-devices.ts'
import type { StartDeps } from '../confirmations/start-confirmation.ts'
import type { ApprovalDeps } from '../deps.ts'
import { policyOf } from '../policies/policy-of.ts'
import { signedPolicy } from '../policies/signed-policy.ts'
import { type ApprovalRequest, requestDisplay, requestPayload } from '../records/approval-request.ts'
import { askedBy, personOf, userRequester } from '../records/asked.ts'
import { TooFewApprovers, TooManyApprovalRequests } from './errors.ts'
import { findApprovers, possibleApprovals } from './find-approvers.ts'
import type { RequestView } from './read-request.ts'

/** The input for `startRequest`. */
export type StartRequest = Checked<'approvals.start'> &
  FromClient & {
    readonly caller: Requester
    /** The JSON of the payload, from `readPayload`. */
    readonly actionPayloadText: string
  }

/**
 * Creates an approval request, and asks every user who can approve it. The policy of the action type decides who can, and how
 * many must; the requester decides neither.
 *
 * Number matching never applies: the approvers do not see the page of the requester.
 *
 * @throws Invalid for `device_register` and `password_change`, and for a payload without a canonical form
 * @throws Invalid for an unknown action type, and for a payload that the schema of a registered type refuses
 * @throws NoApprovalPolicy, TooFewApprovers, TooManyApprovalRequests
 * @throws InvalidAccessToken if the session of the caller has ended
 *
 * @example
 * ```ts
 * const { id, count } = await countersign.approvalRequests.start({ caller, actionType, actionPayload })
 * ```
 */
export async function startRequest(deps: StartDeps & Pick<ApprovalDeps, 'users'>, input: StartRequest): Promise<RequestView> {
  const { storage, clock, options, random, background } = deps
  const { caller, actionType, actionPayloadText } = input
  if (isOwnType(actionType)) throw new Invalid({ actionType: `must not be ${ownTypesText}` })
  const requester = await storage.users.byId(caller.userId)
  if (requester === undefined) throw new InvalidAccessToken()
  const policy = await policyOf(deps, actionType)
  const asked = askedBy(userRequester(requester), input)
  const actionPayload = JSON.parse(actionPayloadText) as Record<string, unknown>
  const described = await deps.describeAction({ actionType, actionPayload, asked, count: policy.count })
  const now = clock.now()
  const limit = options.openApprovalRequestsPerUser
  // The search for approvers reads every user, so a requester at the limit is refused before.
  if ((await storage.approvalRequests.openOf(caller.userId, now)) >= limit) throw new TooManyApprovalRequests()
  const approvers = await findApprovers(deps, policy.permission, caller.userId)
  const ids = approvers.map(({ id }) => id)
  if ((await possibleApprovals(deps, ids, caller.userId)) < policy.count) throw new TooFewApprovers()

  const id = `appr_${randomUuid(random)}`
  const expiresAt = now + options.approvalRequestLifetime
  const approval = { id, policy: signedPolicy({ actionType, ...policy }), count: policy.count }
  const confirmations = approvers.map((approver) => {
    const vote = {
      subject: personOf(approver),
      asked,
      actionType,
      actionPayloadText,
      requestedFrom: seenClient(input),
      // No device of an approver can end the session of the requester.
      requestedBy: null,
      numberMatching: false,
      ...described,
      approval,
      expiresAt,
    } as const
    return buildConfirmation(deps, vote, now).confirmation
  })
  const request: ApprovalRequest = {
    id,
    requestedBy: caller.userId,
    requestedIn: caller.sessionId ?? null,
    actionType,
    payload: requestPayload.seal(deps, id, actionPayloadText),
    display: requestDisplay.seal(deps, id, described.display),
    ...policy,
    status: 'pending',
    createdAt: now,
    expiresAt,
    redeemedAt: null,
    redeemedBy: null,
    redeemedKey: null,
  }
  if (!(await storage.approvalRequests.open(request, confirmations, limit))) {
    const { sessionId, userId } = caller
    if (sessionId !== undefined && !(await storage.sessions.hold(sessionId, userId))) throw new InvalidAccessToken()
    throw new TooManyApprovalRequests()
  }
  background.run(async () => {
    for (const confirmation of confirmations) await notifyDevices(deps, confirmation)
  })
  return { id, status: 'pending', approvals: 0, count: policy.count, expiresAt }
}
