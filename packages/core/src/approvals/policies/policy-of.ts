import { errorOf } from '../../shared/errors.ts'
import type { ApprovalDeps } from '../deps.ts'
import { type ActionPolicy, bandsOf, type GivenPolicy, isPolicy } from '../records/action-policy.ts'

/** No policy says who approves actions of this type, and how many. */
export class NoApprovalPolicy extends errorOf('no_approval_policy') {}

export interface PolicyDeps {
  readonly storage: Pick<ApprovalDeps['storage'], 'actionPolicies'>
  readonly options: Pick<ApprovalDeps['options'], 'approvalPolicies'>
}

const fromOption = (place: string, given: GivenPolicy): ActionPolicy => {
  const [actionType = '', tenant = null] = place.split('@')
  return { actionType, tenant, version: ('bands' in given ? given.version : undefined) ?? 1, bands: bandsOf(given) }
}

/**
 * Returns the policy of an action type: the one of the tenant, or else the one without a tenant. The option of the host comes
 * first, so that write access to the database is not enough to weaken a policy in the host's code. An invalid stored policy, for
 * example with a count of zero, is ignored. With `hold`, the stored policy is locked until the transaction ends.
 *
 * @throws NoApprovalPolicy
 */
export const policyOf = async (
  { storage, options: { approvalPolicies } }: PolicyDeps,
  actionType: string,
  tenant: string | null,
  hold?: 'hold',
): Promise<ActionPolicy> => {
  const place = [...(tenant === null ? [] : [`${actionType}@${tenant}`]), actionType].find((name) =>
    Object.hasOwn(approvalPolicies, name),
  )
  const given = place === undefined ? undefined : approvalPolicies[place]
  if (place !== undefined && given !== undefined) return fromOption(place, given)
  const policy = await storage.actionPolicies.of(actionType, tenant, hold)
  if (policy === undefined || !isPolicy(policy)) throw new NoApprovalPolicy()
  return policy
}

/**
 * Returns the policies that apply, by ascending action type and tenant: the policies of the host, and the valid stored policies of
 * other types.
 */
export const policiesOf = async ({ storage, options }: PolicyDeps): Promise<readonly ActionPolicy[]> => {
  const ofHost = Object.entries(options.approvalPolicies).map(([place, given]) => fromOption(place, given))
  const types = new Set(ofHost.map(({ actionType }) => actionType))
  const stored = (await storage.actionPolicies.all()).filter((policy) => isPolicy(policy) && !hides(ofHost, types, policy))
  const sortKey = ({ actionType, tenant }: ActionPolicy) => `${actionType}@${tenant ?? ''}`
  return [...ofHost, ...stored].toSorted((one, other) => (sortKey(one) < sortKey(other) ? -1 : 1))
}

/** Returns whether a policy of the host comes before a stored policy in every request. */
const hides = (ofHost: readonly ActionPolicy[], types: ReadonlySet<string>, { actionType, tenant }: ActionPolicy): boolean =>
  types.has(actionType) && ofHost.some((policy) => policy.actionType === actionType && (policy.tenant ?? tenant) === tenant)
