import type { Output } from '@countersign/contract'

/** Who presented a token, as Countersign says they are now. A service has `id` and `email` of `null`, and a `service_name`. */
export type VerifiedClaims = Output<'internal.verify'>['claims']

/** What a route demands of a good token besides. */
export interface Demands {
  /** A permission such as `invoice.read`. `invoice.*` and `*.*` grant it too. */
  readonly permission?: `${string}.${string}`
  /** `high`: only the tokens of a device-signed login. */
  readonly trustLevel?: 'high'
}

const grants = (permissions: readonly string[], needed: string): boolean =>
  permissions.includes(needed) || permissions.includes(`${needed.slice(0, needed.indexOf('.'))}.*`) || permissions.includes('*.*')

/** Whether the claims meet the demands. */
export const meets = (claims: VerifiedClaims, { permission, trustLevel }: Demands): boolean =>
  (permission === undefined || grants(claims.permissions, permission)) &&
  (trustLevel === undefined || claims.trust_level === trustLevel)

/** Claims as they came, where they are what they must be: an answer of something else is never taken for a good token. */
export const readClaims = (answer: unknown): VerifiedClaims | undefined => {
  const { valid, claims } = (answer ?? {}) as { readonly valid?: unknown; readonly claims?: Partial<VerifiedClaims> | null }
  if (valid !== true || typeof claims !== 'object' || claims === null) return undefined
  const { id, permissions, token_use } = claims
  const isWhole = (id === null || Number.isSafeInteger(id)) && Array.isArray(permissions) && typeof token_use === 'string'
  return isWhole ? (claims as VerifiedClaims) : undefined
}
