import type { Demands, VerifiedClaims } from './claims.ts'
import type { Refusal } from './refusal.ts'

/** The result of a check: the claims of an admitted request, or a refusal. */
export type Admission = { readonly claims: VerifiedClaims } | { readonly refusal: Refusal }

/** Checks the `Authorization` header of a request against the demands of a route. Never throws. */
export type Admit = (authorization: string | null | undefined, demands: Demands) => Promise<Admission>
