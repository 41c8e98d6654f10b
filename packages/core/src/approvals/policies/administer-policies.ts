import { NothingToChange } from '../../shared/errors.ts'
import type { ApprovalDeps } from '../deps.ts'
import type { ActionPolicy, StoredActionPolicy } from '../records/action-policy.ts'
import { policiesOf, policyOf } from './policy-of.ts'

type PolicyDeps = Pick<ApprovalDeps, 'storage' | 'options' | 'logger'>

/** Stores the policy of an action type. Open requests keep the policy of their creation. */
export async function setPolicy({ storage, logger }: PolicyDeps, policy: StoredActionPolicy): Promise<void> {
  const { actionType, permission, count } = policy
  await storage.actionPolicies.put(policy)
  logger.info('action_policy_set', { actionType, permission, count })
}

/** Returns the policy of an action type, as a new request would get it. @throws NoApprovalPolicy */
export function showPolicy(deps: PolicyDeps, { actionType }: { readonly actionType: string }): Promise<ActionPolicy> {
  return policyOf(deps, actionType)
}

/** Returns the policies of all action types, as new requests would get them, by ascending action type. */
export function listPolicies({ storage, options }: PolicyDeps): Promise<readonly StoredActionPolicy[]> {
  return policiesOf(storage, options.approvalPolicies)
}

/** Removes the stored policy of an action type. @throws NothingToChange where none is stored */
export async function removePolicy(
  { storage, logger }: PolicyDeps,
  { actionType }: { readonly actionType: string },
): Promise<void> {
  if (!(await storage.actionPolicies.remove(actionType))) {
    throw new NothingToChange('No policy of this action type is stored')
  }
  logger.info('action_policy_removed', { actionType })
}
