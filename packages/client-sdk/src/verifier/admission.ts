import type { Demands, VerifiedClaims } from './claims.ts'
import type { Refusal } from './refusal.ts'

/** Whether a request comes in, and as whom. */
export type Admission = { readonly claims: VerifiedClaims } | { readonly refusal: Refusal }

/** Checks the `Authorization` header of a request against a route's demands. Never throws. */
export type Admit = (authorization: string | null | undefined, demands: Demands) => Promise<Admission>
