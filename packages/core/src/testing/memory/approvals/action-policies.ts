import type { ActionPolicyStore } from '../../../approvals/policies/store.ts'
import type { Run } from '../tables.ts'

export const memoryActionPolicies = (run: Run): ActionPolicyStore => ({
  put: (policy) => run(({ actionPolicies }) => void actionPolicies.set(policy.actionType, { ...policy })),
  ofType: (actionType) => run(({ actionPolicies }) => actionPolicies.get(actionType)),
  remove: (actionType) => run(({ actionPolicies }) => actionPolicies.delete(actionType)),
})
