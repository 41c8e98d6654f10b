import { NothingToChange } from '../../shared/errors.ts'
import type { ApprovalDeps } from '../deps.ts'
import type { ActionPolicy, StoredActionPolicy } from './action-policy.ts'
import { policiesOf, policyOf } from './policy-of.ts'

type PolicyDeps = Pick<ApprovalDeps, 'storage' | 'options'>

/** Stores the policy of an action type. Open requests keep the policy of their creation. */
export const setPolicy = async ({ storage }: PolicyDeps, policy: StoredActionPolicy): Promise<void> => {
  await storage.actionPolicies.put(policy)
}

/** Returns the policy of an action type, as a new request would get it. @throws NoApprovalPolicy */
export const showPolicy = (deps: PolicyDeps, { actionType }: { readonly actionType: string }): Promise<ActionPolicy> =>
  policyOf(deps, actionType)

/** Returns the policies of all action types, as new requests would get them, by ascending action type. */
export const listPolicies = ({ storage, options }: PolicyDeps): Promise<readonly StoredActionPolicy[]> =>
  policiesOf(storage, options.approvalPolicies)

/** Removes the stored policy of an action type. @throws NothingToChange where none is stored */
export const removePolicy = async ({ storage }: PolicyDeps, { actionType }: { readonly actionType: string }): Promise<void> => {
  if (!(await storage.actionPolicies.remove(actionType))) {
    throw new NothingToChange('No policy of this action type is stored')
  }
}
