export type { Demands, VerifiedClaims } from './claims.ts'
export { createVerifier, type Verifier, type VerifierOptions, VerifierUnavailable } from './create-verifier.ts'
