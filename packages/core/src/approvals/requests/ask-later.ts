import type { Caller } from '../../identity/authentication/caller.ts'
import type { Bound } from '../../identity/records/bound.ts'
import { boundOfCaller } from '../../identity/sessions/bound-of-caller.ts'
import type { Instant } from '../../shared/clock.ts'
import { erasedField } from '../../shared/crypto/field-encryption.ts'
import { buildConfirmation } from '../confirmations/build-confirmation.ts'
import { type ConfirmationView, viewsOf } from '../confirmations/read-confirmation.ts'
import { confirmationFields } from '../confirmations/sealed-fields.ts'
import { requireSigner } from '../confirmations/signatures/signers.ts'
import { storedStatementOf } from '../confirmations/statement.ts'
import type { ApprovalDeps } from '../deps.ts'
import { isEnded } from '../policies/require-unchanged.ts'
import { signedPolicy } from '../policies/select-band.ts'
import {
  type ApprovalRequest,
  type RequestTerms,
  requestDisplay,
  requestPayload,
  requestTerms,
} from '../records/approval-request.ts'
import { type Confirmation, requestsOf } from '../records/confirmation.ts'
import { personOf } from '../records/statement.ts'
import { approvalsInGroups, countedApprovals } from './counted-approvals.ts'
import { MOST_APPROVERS, searchOf, usableKeys } from './find-approvers.ts'
import { namedDelegator, type Voter, voterOf } from './voters.ts'

/**
 * Returns the pending confirmations of the caller, newest first, after asking the caller for the approval of requests that the
 * caller can approve by now. Of votes it returns the newest `pendingConfirmationsPerUser`, and none for a request that has all its
 * approvals. A bound session reads and is asked only in its tenants.
 * @throws InsufficientTrustLevel for a session that no trusted device or passkey opened; see `signerOf`
 * @example const pending = await countersign.confirmations.pending({ caller })
 */
export async function readPending(
  deps: ApprovalDeps,
  { caller }: { readonly caller: Caller },
): Promise<readonly ConfirmationView[]> {
  requireSigner(deps, caller)
  const now = deps.clock.now()
  const { pendingConfirmationsPerUser: limit } = deps.options
  const tenants = await boundOfCaller(deps, caller)
  await askLater(deps, caller.userId, now, limit, tenants)
  const pending = await deps.storage.confirmations.pendingOfUser(caller.userId, now, limit, tenants)
  const complete = await completeRequests(deps, requestsOf(pending), now)
  const waiting = pending.filter(({ approvalId }) => approvalId === null || !complete.has(approvalId))
  return viewsOf(deps, waiting, now)
}

const completeRequests = async (deps: ApprovalDeps, ids: ReadonlySet<string>, now: Instant): Promise<ReadonlySet<string>> => {
  const { approvalRequests } = deps.storage
  const found = await Promise.all(
    Array.from(ids, async (id) => {
      const [request, votes] = await Promise.all([approvalRequests.byId(id), approvalRequests.confirmationsOf(id)])
      // Most requests have too few approvals, whether these count or not.
      if (request === undefined || votes.filter(({ status }) => status === 'approved').length < request.count) return []
      const terms = requestTerms.open(deps, id, request.terms)
      const approvals = await countedApprovals(deps, request, terms, now)
      const isComplete = approvals === undefined || approvalsInGroups(approvals, terms).counted.length === request.count
      return isComplete ? [id] : []
    }),
  )
  return new Set(found.flat())
}

/** Asks a user who can approve the newest `limit` open requests by now, unless they asked `MOST_APPROVERS` users. */
const askLater = async (deps: ApprovalDeps, userId: number, now: Instant, limit: number, tenants: Bound): Promise<void> => {
  const waiting = await deps.storage.approvalRequests.waitingFor(userId, now, limit, tenants)
  if (waiting.length === 0) return
  // If the host has a directory, its permissions decide.
  const user = await deps.users.byId(userId)
  for (const request of waiting) {
    const terms = requestTerms.open(deps, request.id, request.terms)
    const search = await searchOf(deps, terms, request.requestedBy, now)
    const vote = await laterVote(deps, { request, terms }, await voterOf(deps, user, search), now)
    if (vote === undefined) continue
    if ((await usableKeys(deps, [userId], search)).length === 0) continue
    if (!(await deps.storage.approvalRequests.ask(vote, MOST_APPROVERS))) continue
    deps.observer.confirmation({ actionType: request.actionType, outcome: 'initiated' })
  }
}

/** Returns the confirmation of one more approver; `undefined` if the user must not be asked. */
const laterVote = async (
  deps: ApprovalDeps,
  { request, terms }: { readonly request: ApprovalRequest; readonly terms: RequestTerms },
  voter: Voter | undefined,
  now: Instant,
): Promise<Confirmation | undefined> => {
  if (voter === undefined) return undefined
  const { id, actionType, expiresAt, count } = request
  // Each vote has a copy of what the requester stated. The votes of erased users are empty.
  const votes = await deps.storage.approvalRequests.confirmationsOf(id)
  const other = votes.find(({ statement }) => statement !== erasedField)
  if (other === undefined || other.requestedFrom === null) return undefined
  const payload = requestPayload.open(deps, id, request.payload)
  const open = { request, terms, payload: payload.value }
  if (await isEnded(deps, open, now)) return undefined
  const { tenant, requester, onBehalfOf, context, operation } = storedStatementOf(deps, other)
  const vote = {
    subject: personOf(voter.user),
    asked: { tenant, requester, onBehalfOf, context, operation },
    actionType,
    actionTypeVersion: other.actionTypeVersion,
    payload,
    requestedFrom: confirmationFields.requestedFrom.open(deps, other.id, other.requestedFrom),
    requestedBy: null,
    numberMatching: false,
    display: requestDisplay.open(deps, id, request.display),
    approval: { id, policy: signedPolicy(terms.policy, terms.band), count, ...namedDelegator(voter) },
    expiresAt,
  } as const
  return buildConfirmation(deps, vote, now).confirmation
}
