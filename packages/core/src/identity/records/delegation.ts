import type { Instant } from '../../shared/clock.ts'

/** A permission of a user that another user may use until a time, in approval requests only. */
export interface Delegation {
  /** The user who has the permission. */
  readonly from: number
  /** The delegate. */
  readonly to: number
  /** In the spelling of the users' lists, without a wildcard: `payment.approve`, or `payment.approve@acme` for one tenant. */
  readonly permission: string
  readonly until: Instant
  readonly createdAt: Instant
}

/** The key of a delegation. A later delegation with the same key replaces the earlier one. */
export type DelegationKey = Pick<Delegation, 'from' | 'to' | 'permission'>

/** Selects delegations: those that a user gave or got, or those of any of these permissions, at most `limit`. */
export type DelegationQuery = { readonly userId: number } | { readonly permissions: readonly string[]; readonly limit: number }

/** The store of delegations. */
export interface DelegationStore {
  /** Stores a delegation, and replaces a delegation with the same key. */
  put(delegation: Delegation): Promise<void>
  /** Deletes a delegation. Returns whether there was one. */
  end(key: DelegationKey): Promise<boolean>
  /** Returns the delegations that meet the query and end after `now`, in the order of their keys. */
  running(query: DelegationQuery, now: Instant): Promise<readonly Delegation[]>
  /** Returns whether a delegation exists and ends after `now`. Locks the delegation until the transaction ends. */
  hold(key: DelegationKey, now: Instant): Promise<boolean>
}
