import { pick } from '../../shared/pick.ts'
import type { ApprovalDeps } from '../deps.ts'
import type { ApprovalRequest } from '../records/approval-request.ts'
import { checkedBands, type SetPolicy } from './administer-policies.ts'
import { type PolicyWarnings, policyWarnings } from './policy-warnings.ts'
import { isEnded, openRequest } from './require-unchanged.ts'

/** The effect that a new policy would have. */
export interface PolicyDryRun extends PolicyWarnings {
  /** The open requests that the policy would end, by ascending id. */
  readonly ended: readonly Pick<ApprovalRequest, 'id' | 'requestedBy' | 'tenant' | 'createdAt' | 'expiresAt'>[]
}

const PAGE = 200

/**
 * Returns the open requests that a new policy would end, without storing it; none if a policy of the host's option comes before it.
 * @throws Invalid naming each wrong member
 * @example const { ended } = await countersign.actionPolicies.dryRun({ actionType, permission: 'payment.approve', count: 3 })
 */
export async function dryRunPolicy(
  deps: ApprovalDeps,
  { actionType, tenant = null, ...given }: SetPolicy,
): Promise<PolicyDryRun> {
  const { storage, clock } = deps
  const now = clock.now()
  const policy = { actionType, tenant, version: 0, bands: await checkedBands(given) }
  const { actionPolicies } = storage
  // The same look-up as after `put`: the policy of the tenant comes before the one without a tenant.
  const of: typeof actionPolicies.of = async (type, where) => {
    const stored = type === actionType && tenant === where ? policy : await actionPolicies.of(type, where)
    return type === actionType && tenant === null && (stored === undefined || stored.tenant === null) ? policy : stored
  }
  const after = { ...deps, storage: { actionPolicies: { ...actionPolicies, of } } }
  const ended: ApprovalRequest[] = []
  for (let afterId = ''; ; ) {
    const page = await storage.approvalRequests.openOfType(actionType, { afterId, limit: PAGE, now })
    for (const request of page) {
      const open = openRequest(deps, request)
      if (!(await isEnded(deps, open, now)) && (await isEnded(after, open, now))) ended.push(request)
    }
    const last = page.at(-1)
    if (last === undefined || page.length < PAGE) break
    afterId = last.id
  }
  return {
    ended: ended.map((request) => pick(request, ['id', 'requestedBy', 'tenant', 'createdAt', 'expiresAt'])),
    ...(await policyWarnings(deps, policy)),
  }
}
