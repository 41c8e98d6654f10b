import * as z from 'zod'
import { allowWeaker, type GivenPolicy, groupShape, MOST_APPROVALS, policyBands } from './action-policy.ts'
import { isStrict } from './weak-bands.ts'

const version = z.int({ error: 'must be a whole number from 1' }).min(1, { error: 'must be a whole number from 1' })

/** An action type, or an action type and a tenant: `payment_approval@acme`. */
const place = z.string().regex(/^(?!test(?:@|$))[a-z][a-z0-9_-]{0,63}(?:@[A-Za-z0-9._:-]{1,64})?$/)
const policies = z.record(
  place,
  z.strictObject(groupShape).or(z.strictObject({ version: version.optional(), bands: policyBands, allowWeaker })),
)

/** Returns whether a value maps action types to valid policies, as the option `approvalPolicies` takes them. */
export const isApprovalPolicies = (value: unknown): value is Readonly<Record<string, GivenPolicy>> => {
  const { data } = policies.safeParse(value)
  // The parser leaves out a member `__proto__`.
  if (data === undefined || Object.keys(data).length !== Object.keys(value as object).length) return false
  return Object.values(data).every((policy) => !('bands' in policy) || policy.allowWeaker === true || isStrict(policy.bands))
}

/** Checks the option `approvalPolicies`. The message quotes no action type, because a secret may have been put there by mistake. */
export const policiesSchema = z.custom<Readonly<Record<string, GivenPolicy>>>(isApprovalPolicies, {
  error: `must be an object that maps action types to { permission, count }, with a count from 1 to ${MOST_APPROVALS}, or to { bands }, of which the last must be the strictest`,
})
