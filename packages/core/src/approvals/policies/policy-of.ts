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
 * Returns the policy of an action type: of the tenant, or else without a tenant. The option of the host comes first, so that write
 * access to the database is not enough to weaken a policy. An invalid stored policy is ignored. With `hold`, the stored policy is
 * locked until the commit. `undefined` without a policy.
 */
export const findPolicy = async (
  { storage, options: { approvalPolicies } }: PolicyDeps,
  actionType: string,
  tenant: string | null,
  hold?: 'hold',
): Promise<ActionPolicy | undefined> => {
  const place = [...(tenant === null ? [] : [`${actionType}@${tenant}`]), actionType].find((name) =>
    Object.hasOwn(approvalPolicies, name),
  )
  const given = place === undefined ? undefined : approvalPolicies[place]
  if (place !== undefined && given !== undefined) return fromOption(place, given)
  const policy = await storage.actionPolicies.of(actionType, tenant, hold)
  return policy !== undefined && isPolicy(policy) ? policy : undefined
}

/** Does the same. @throws NoApprovalPolicy if there is no policy */
export const policyOf = async (...of: Parameters<typeof findPolicy>): Promise<ActionPolicy> => {
  const policy = await findPolicy(...of)
  if (policy === undefined) throw new NoApprovalPolicy()
  return policy
}

/**
 * Returns the policies that apply, by ascending action type and tenant: those of the host, and valid stored ones beneath.
 * @example const policies = await countersign.actionPolicies.list()
 */
export const listPolicies = async ({ storage, options }: PolicyDeps): Promise<readonly ActionPolicy[]> => {
  const ofHost = Object.entries(options.approvalPolicies).map(([place, given]) => fromOption(place, given))
  const types = new Set(ofHost.map(({ actionType }) => actionType))
  const stored = (await storage.actionPolicies.all()).filter((policy) => isPolicy(policy) && !hides(ofHost, types, policy))
  const sortKey = ({ actionType, tenant }: ActionPolicy) => `${actionType}@${tenant ?? ''}`
  return [...ofHost, ...stored].toSorted((one, other) => (sortKey(one) < sortKey(other) ? -1 : 1))
}

/** Returns whether a policy of the host comes before a stored policy in every request. */
const hides = (ofHost: readonly ActionPolicy[], types: ReadonlySet<string>, { actionType, tenant }: ActionPolicy): boolean =>
  types.has(actionType) && ofHost.some((policy) => policy.actionType === actionType && (policy.tenant ?? tenant) === tenant)
