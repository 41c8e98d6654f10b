import type { StoredActionPolicy } from './action-policy.ts'

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
