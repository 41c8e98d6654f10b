import { boundOfService, hasScope, requireAnyScope } from '../../identity/authentication/calling-service.ts'
import { isWithin } from '../../identity/records/bound.ts'
import { boundOfCaller } from '../../identity/sessions/bound-of-caller.ts'
import type { Requester } from '../confirmations/initiate.ts'
import type { ApprovalStorage } from '../deps.ts'
import type { ApprovalRequest } from '../records/approval-request.ts'
import { ApprovalNotFound } from '../requests/errors.ts'
import type { AskerAct, OfRequest } from './asker.ts'

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
export const requestOfAsker = async (deps: ApprovalStorage, asked: OfRequest, act: AskerAct): Promise<ApprovalRequest> => {
  if ('service' in asked) requireAnyScope(asked.service, rights[act])
  const request = await deps.storage.approvalRequests.byId(asked.approvalId)
  const tenants = 'service' in asked ? boundOfService(asked.service) : await boundOfCaller(deps, asked.caller)
  if (request === undefined || !isWithin(tenants, request.tenant)) throw new ApprovalNotFound()
  const isKnown =
    'service' in asked
      ? hasScope(asked.service, `${rights[act]}${request.actionType}`)
      : await isParty(deps, asked.caller, request)
  if (!isKnown) throw new ApprovalNotFound()
  return request
}
