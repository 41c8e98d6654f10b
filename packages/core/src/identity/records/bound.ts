/**
 * The tenants to which a session, device or passkey is bound, sorted; `null` if it is not bound. A session that a bound service
 * opened, and all that it registers, is bound to the tenants of the service's token, and is nobody elsewhere.
 */
export type Bound = readonly string[] | null

/** A session, device or passkey, which may be bound to tenants. */
export interface BoundToTenants {
  readonly tenants: Bound
}

/** Returns the tenants as a text that equal bounds share; `null` if nothing is bound. */
export const boundText = (tenants: Bound): string | null => (tenants === null ? null : JSON.stringify(tenants))

/** Returns whether two things are bound to the same tenants, or both are not bound. */
export const isSameBound = (one: Bound, other: Bound): boolean => boundText(one) === boundText(other)

/** Returns whether something with this bound may act in a tenant; `null`: without a tenant. Asked at every door. */
export const isWithin = (tenants: Bound, tenant: string | null): boolean =>
  tenants === null || (tenant !== null && tenants.includes(tenant))

/** Returns whether a session with this bound may see and end what has the other bound: only its own kind, if it is bound. */
export const reaches = (tenants: Bound, other: Bound): boolean => tenants === null || isSameBound(tenants, other)
