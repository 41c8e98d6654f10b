import { errorOf } from '../../shared/errors.ts'
import type { ApprovalDeps } from '../deps.ts'
import { type ActionPolicy, isPolicy, type StoredActionPolicy } from '../records/action-policy.ts'

/** No policy says who approves actions of this type, and how many. */
export class NoApprovalPolicy extends errorOf('no_approval_policy') {}

/**
 * Returns the policy of an action type. The option of the host comes first, so that nobody who can only write to the database
 * weakens a policy of the host's code. A stored policy that is not valid, such as one with a count of zero, is no policy.
 *
 * @throws NoApprovalPolicy
 */
export const policyOf = async (
  { storage, options }: Pick<ApprovalDeps, 'storage' | 'options'>,
  actionType: string,
): Promise<ActionPolicy> => {
  const { approvalPolicies } = options
  const policy = Object.hasOwn(approvalPolicies, actionType)
    ? approvalPolicies[actionType]
    : await storage.actionPolicies.ofType(actionType)
  if (policy === undefined || !isPolicy(policy)) throw new NoApprovalPolicy()
  return { permission: policy.permission, count: policy.count }
}

/** Returns the policies that apply, by ascending action type: the valid stored ones, and in their place those of the host. */
export const policiesOf = async (
  { actionPolicies }: Pick<ApprovalDeps['storage'], 'actionPolicies'>,
  ofHost: Readonly<Record<string, ActionPolicy>>,
): Promise<readonly StoredActionPolicy[]> => {
  const stored = (await actionPolicies.all()).filter(isPolicy).map((policy) => [policy.actionType, policy] as const)
  const policies = new Map<string, ActionPolicy>([...stored, ...Object.entries(ofHost)])
  return [...policies]
    .map(([actionType, { permission, count }]) => ({ actionType, permission, count }))
    .toSorted((one, other) => (one.actionType < other.actionType ? -1 : 1))
}
