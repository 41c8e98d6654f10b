import { boundOfService, hasScope, requireAnyScope } from '../../identity/authentication/calling-service.ts'
import { isWithin } from '../../identity/records/bound.ts'
import { boundOfCaller } from '../../identity/sessions/bound-of-caller.ts'
import type { Instant } from '../../shared/clock.ts'
import { Forbidden } from '../../shared/errors.ts'
import type { Requester } from '../confirmations/initiate.ts'
import type { ApprovalStorage } from '../deps.ts'
import type { ApprovalRequest } from '../records/approval-request.ts'
import { ApprovalDecided, ApprovalExpired, ApprovalNotFound } from '../requests/errors.ts'
import { type RequestView, requestViewOf, type ViewDeps } from '../requests/request-view.ts'
import type { Asked, Asker, AskerAct } from './asker.ts'

/** A request that was withdrawn. */
export interface WithdrawnRequest extends RequestView {
  readonly status: 'expired'
  readonly withdrawnAt: Instant
}

/** The scope that a service needs, without the type of the action. Who may redeem a request may withdraw it. */
const rights = { read: 'approval.read:', withdraw: 'approval.redeem:' } as const

const isParty = async ({ storage }: ApprovalStorage, { userId }: Requester, request: ApprovalRequest) =>
  request.requestedBy === userId ||
  (await storage.approvalRequests.confirmationsOf(request.id)).some((asked) => asked.userId === userId)

/**
 * Returns a request that its asker reaches: a user those that they started or were asked to approve, a service those of the types
 * for which it has the scope; each only in the tenants to which the session or the token is bound.
 * @throws MissingScope for a service without this scope for any type, ApprovalNotFound
 */
export const requestOfAsker = async (
  deps: ApprovalStorage,
  asker: Asker,
  id: string,
  act: AskerAct,
): Promise<ApprovalRequest> => {
  if ('service' in asker) requireAnyScope(asker.service, rights[act])
  const request = await deps.storage.approvalRequests.byId(id)
  const tenants = 'service' in asker ? boundOfService(asker.service) : await boundOfCaller(deps, asker.caller)
  if (request === undefined || !isWithin(tenants, request.tenant)) throw new ApprovalNotFound()
  const isKnown =
    'service' in asker
      ? hasScope(asker.service, `${rights[act]}${request.actionType}`)
      : await isParty(deps, asker.caller, request)
  if (!isKnown) throw new ApprovalNotFound()
  return request
}

/** Finds an approval request for its asker. @throws MissingScope, ApprovalNotFound */
export const askedRequest = async (
  deps: ViewDeps,
  asker: Asker,
  id: string,
  act: AskerAct,
): Promise<Asked<RequestView, WithdrawnRequest>> => {
  const request = await requestOfAsker(deps, asker, id, act)
  const { actionType, requestedBy } = request
  return {
    actionType,
    view: () => requestViewOf(deps, request),
    withdrawing: async (now) => {
      if ('caller' in asker && requestedBy !== asker.caller.userId) throw new Forbidden()
      const votes = await deps.storage.approvalRequests.confirmationsOf(id)
      const view = await requestViewOf(deps, request)
      if (view.status === 'expired') throw new ApprovalExpired()
      if (view.status !== 'pending') throw new ApprovalDecided()
      const approved = votes.filter(({ status }) => status === 'approved').length
      return {
        store: async ({ approvals }) =>
          (await approvals.withdraw({ requestId: id, approved, now }))
            ? votes.filter(({ status }) => status === 'pending')
            : undefined,
        answer: { ...view, status: 'expired', withdrawnAt: now },
      }
    },
    refused: () => new ApprovalDecided(),
  }
}
