import * as z from 'zod'
import { isPermission } from '../../identity/accounts/permissions.ts'

/** The approvals that a request for an action type needs. */
export interface ActionPolicy {
  /** The permission that each approver must hold: `<resource>.<action>`, without a wildcard. */
  readonly permission: `${string}.${string}`
  /** The number of approvals, by as many users: 1 to 20. Never zero. */
  readonly count: number
}

/** A stored policy. */
export interface StoredActionPolicy extends ActionPolicy {
  readonly actionType: string
}

/** The most approvals that a policy can ask for. */
const MOST_APPROVALS = 20

const takesPermission = 'must be a permission such as payment.approve, without a wildcard'
const takesCount = `must be a whole number from 1 to ${MOST_APPROVALS}`
const takesType = 'must be an action type: 1 to 64 lower case letters, digits and underscores'

/** Checks of a policy. Each message continues a sentence that begins with the member's name. */
export const policyShape = {
  permission: z
    .string({ error: takesPermission })
    .refine((text) => isPermission(text) && !text.includes('*'), { error: takesPermission })
    .transform((text) => text as ActionPolicy['permission']),
  count: z.int({ error: takesCount }).min(1, { error: takesCount }).max(MOST_APPROVALS, { error: takesCount }),
}

export const policyActionType = z.string({ error: takesType }).regex(/^[a-z][a-z0-9_]{0,63}$/, { error: takesType })

const policy = z.object(policyShape)

/** Returns whether a policy is valid: a permission without a wildcard, and a count from 1 to `MOST_APPROVALS`. */
export const isPolicy = (value: ActionPolicy): boolean => policy.safeParse(value).success

const policies = z.record(policyActionType, z.strictObject(policyShape))

/** Returns whether a value maps action types to valid policies, as the option `approvalPolicies` takes them. */
export const isApprovalPolicies = (value: unknown): value is Readonly<Record<string, ActionPolicy>> => {
  const { data } = policies.safeParse(value)
  // The parser leaves out a member `__proto__`.
  return data !== undefined && Object.keys(data).length === Object.keys(value as object).length
}

/** Checks the option `approvalPolicies`. The message quotes no action type, because a secret may have been put there by mistake. */
export const policiesSchema = z.custom<Readonly<Record<string, ActionPolicy>>>(isApprovalPolicies, {
  error: `must be an object that maps action types to { permission, count }, with a count from 1 to ${MOST_APPROVALS}`,
})

/** The stored policies of action types, at most one for a type. */
export interface ActionPolicyStore {
  /** Adds the policy of a type, or replaces it. */
  put(policy: StoredActionPolicy): Promise<void>
  /** Returns the policy of exactly this type. */
  ofType(actionType: string): Promise<StoredActionPolicy | undefined>
  /** Returns all policies, by ascending action type. */
  all(): Promise<readonly StoredActionPolicy[]>
  /** Removes the policy of a type. Returns whether there was one. */
  remove(actionType: string): Promise<boolean>
}
