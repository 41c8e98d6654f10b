import type { Caller } from '../../identity/authentication/caller.ts'
import type { User } from '../../identity/records/user.ts'
import type { Instant } from '../../shared/clock.ts'
import { erasedField } from '../../shared/crypto/field-encryption.ts'
import { buildConfirmation } from '../confirmations/build-confirmation.ts'
import { listPending } from '../confirmations/list-pending.ts'
import type { ConfirmationView } from '../confirmations/read-confirmation.ts'
import { confirmationFields } from '../confirmations/sealed-fields.ts'
import { requireSigner } from '../confirmations/signatures/signers.ts'
import { storedStatementOf } from '../confirmations/statement.ts'
import type { ApprovalDeps } from '../deps.ts'
import { isEndedBy, policyOfMoment, signedBand } from '../policies/require-unchanged.ts'
import { signedPolicy } from '../policies/select-band.ts'
import { type ApprovalRequest, requestDisplay, requestPayload, requestTerms } from '../records/approval-request.ts'
import type { Confirmation } from '../records/confirmation.ts'
import { personOf } from '../records/statement.ts'
import { MOST_APPROVERS, usableKeys } from './find-approvers.ts'
import { namedDelegator, type Search, voterOf } from './voters.ts'

type AskDeps = Pick<ApprovalDeps, 'storage' | 'users' | 'clock' | 'options' | 'encryptionKeys' | 'random' | 'issuer' | 'observer'>

/**
 * Returns the pending confirmations of the caller (see `listPending`), after asking the caller for the approval of requests that
 * the caller can approve by now.
 *
 * @throws InsufficientTrustLevel for a session that no trusted device or passkey opened; see `signerOf`
 */
export async function readPending(deps: AskDeps, input: { readonly caller: Caller }): Promise<readonly ConfirmationView[]> {
  requireSigner(deps, input.caller)
  await askLater(deps, input.caller.userId, deps.clock.now(), deps.options.pendingConfirmationsPerUser)
  return listPending(deps, input)
}

/**
 * Asks a user who can approve by now, and could not when open requests were started: among the newest `limit` requests, those that
 * the user may approve and that have asked fewer than `MOST_APPROVERS` users. For most users this is one look-up.
 */
const askLater = async (deps: AskDeps, userId: number, now: Instant, limit: number): Promise<void> => {
  const waiting = await deps.storage.approvalRequests.waitingFor(userId, now, limit)
  if (waiting.length === 0) return
  // The directory of the host has the last word.
  const user = await deps.users.byId(userId)
  for (const request of waiting) {
    const vote = await laterVote(deps, request, user, now)
    if (vote === undefined) continue
    if ((await usableKeys(deps, [userId], searchOf(deps, request, now))).length === 0) continue
    if (!(await deps.storage.approvalRequests.ask(vote, MOST_APPROVERS))) continue
    deps.observer.confirmation({ actionType: request.actionType, outcome: 'initiated' })
  }
}

const searchOf = (deps: AskDeps, { id, terms: sealed, requestedBy }: ApprovalRequest, now: Instant): Search => {
  const terms = requestTerms.open(deps, id, sealed)
  return { band: signedBand(terms), scope: terms.scope, requestedBy, now }
}

/** Returns the confirmation of one more approver; `undefined` if the user must not be asked. */
const laterVote = async (
  deps: AskDeps,
  request: ApprovalRequest,
  user: User | undefined,
  now: Instant,
): Promise<Confirmation | undefined> => {
  const { id, actionType, expiresAt, count } = request
  const terms = requestTerms.open(deps, id, request.terms)
  const voter = await voterOf(deps, user, searchOf(deps, request, now))
  if (voter === undefined) return undefined
  // Each vote repeats the words of the requester. The votes of erased users are empty.
  const votes = await deps.storage.approvalRequests.confirmationsOf(id)
  const other = votes.find(({ statement }) => statement !== erasedField)
  if (other === undefined || other.requestedFrom === null) return undefined
  const payload = requestPayload.open(deps, id, request.payload)
  const open = { request, terms, payload: payload.value }
  if (await isEndedBy(await policyOfMoment(deps, open), open, now)) return undefined
  const { scope, requester, onBehalfOf, context, operation } = storedStatementOf(deps, other)
  const vote = {
    subject: personOf(voter.user),
    asked: { scope, requester, onBehalfOf, context, operation },
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
