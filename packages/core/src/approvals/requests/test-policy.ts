import * as z from 'zod'
import type { User } from '../../identity/records/user.ts'
import type { ShapedInput } from '../../shared/bind-use-cases.ts'
import type { ApprovalDeps } from '../deps.ts'
import { policyOf } from '../policies/policy-of.ts'
import { type PolicyWarnings, policyWarnings } from '../policies/policy-warnings.ts'
import { signedBand } from '../policies/require-unchanged.ts'
import { requireBand } from '../policies/select-band.ts'
import { type ActionPolicy, groupsOf, policyPlaceShape, sumCounts } from '../records/action-policy.ts'
import { findApprovers } from './find-approvers.ts'

export const testPolicyShape = {
  ...policyPlaceShape,
  /** The payload of an imagined action. */
  actionPayload: z.record(z.string(), z.unknown(), { error: 'must be an object' }),
}

/** The input of a policy test: an action type, the tenant in which the action would be asked, and a payload. */
export interface TestPolicy extends ShapedInput<typeof testPolicyShape> {}

/** The approvals that a request for a payload would need now, and the users whom it would ask. */
export interface TestedPolicy extends PolicyWarnings {
  readonly policy: ActionPolicy
  /** The index of the band that applies. */
  readonly band: number
  /** The approvals that the band needs, in all groups together. */
  readonly count: number
  /** The users who would be asked, at most 100, in their order. A real request leaves out its requester. */
  readonly approvers: readonly Pick<User, 'id' | 'email' | 'name'>[]
  /** False if a request would be refused, because too few users can approve it now (409 `too_few_approvers`). */
  readonly areEnough: boolean
}

/** No user has this id, so nobody is left out. */
const NOBODY = 0

/**
 * Says which band of the current policy applies to a payload, and who would be asked. Neither asks anybody nor checks a schema.
 * @throws Invalid, NoApprovalPolicy, NoHolders
 * @example const { approvers } = await countersign.actionPolicies.test({ actionType, actionPayload: { amount: 1250 } })
 */
export async function testPolicy(
  deps: ApprovalDeps,
  { actionType, tenant = null, actionPayload }: TestPolicy,
): Promise<TestedPolicy> {
  const policy = await policyOf(deps, actionType, tenant)
  const band = await requireBand(policy, actionPayload)
  const applies = signedBand({ policy, band, tenant, operation: null })
  const search = { band: applies, tenant, requestedBy: NOBODY, now: deps.clock.now() }
  const { approvers, areEnough } = await findApprovers(deps, search)
  return {
    policy,
    band,
    count: sumCounts(groupsOf(applies)),
    approvers: approvers.map(({ user: { id, email, name } }) => ({ id, email, name })),
    areEnough,
    ...(await policyWarnings(deps, policy)),
  }
}
