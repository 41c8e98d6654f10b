import type { ActionPolicyStore } from '../../../approvals/policies/store.ts'
import type { Run } from '../tables.ts'

export const memoryActionPolicies = (run: Run): ActionPolicyStore => ({
  put: (policy) => run(({ actionPolicies }) => void actionPolicies.set(policy.actionType, { ...policy })),
  ofType: (actionType) => run(({ actionPolicies }) => actionPolicies.get(actionType)),
  all: () =>
    run(({ actionPolicies }) =>
      [...actionPolicies.values()].toSorted((one, other) => (one.actionType < other.actionType ? -1 : 1)),
    ),
  remove: (actionType) => run(({ actionPolicies }) => actionPolicies.delete(actionType)),
})
