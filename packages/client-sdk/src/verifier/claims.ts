import type { Output } from '@countersign/contract'
import type { Refusal } from './refusal.ts'

/** The result of a check: the claims of an accepted request, or a refusal. */
export type Admission = { readonly claims: Introspection } | { readonly refusal: Refusal }

/** Checks the `Authorization` header of a request against the demands of a route. Never throws. */
export type Admit = <R>(authorization: string | null | undefined, demands: Demands<R>, request: R) => Promise<Admission>

/** The current claims of the token's owner. A service has the `id` and `email` `null`, and a `service_name`. */
export type Introspection = Output<'internal.verify'>['claims']

/** The demands of a route on a valid token. `R` is the request of the framework. */
export interface Demands<R = never> {
  /** A permission such as `invoice.read`. `invoice.*` and `*.*` also grant it. */
  readonly permission?: `${string}.${string}`
  /**
   * The tenant in which the permission must hold, or a function that reads it from the request. The claims then have the
   * permissions that hold there. A malformed tenant refuses every request.
   */
  readonly tenant?: string | ((request: R) => string | undefined)
  /** `high`: only tokens of a login by device signature. */
  readonly trustLevel?: 'high'
}

const grants = (permissions: readonly string[], needed: string): boolean =>
  permissions.includes(needed) || permissions.includes(`${needed.slice(0, needed.indexOf('.'))}.*`) || permissions.includes('*.*')

/** Returns whether the claims grant the demanded permission and have the demanded trust level. A demand that is left out is met. */
export const meets = (claims: Introspection, { permission, trustLevel }: Pick<Demands, 'permission' | 'trustLevel'>): boolean =>
  (permission === undefined || grants(claims.permissions, permission)) &&
  (trustLevel === undefined || claims.trust_level === trustLevel)

/** Returns the claims of a response if they have the right form. The response of another server is never taken for claims. */
export const readClaims = (answer: unknown): Introspection | undefined => {
  const { valid, claims } = (answer ?? {}) as { readonly valid?: unknown; readonly claims?: Partial<Introspection> | null }
  if (valid !== true || typeof claims !== 'object' || claims === null) return undefined
  const { id, permissions, token_use } = claims
  const isWhole = (id === null || Number.isSafeInteger(id)) && Array.isArray(permissions) && typeof token_use === 'string'
  return isWhole ? (claims as Introspection) : undefined
}
