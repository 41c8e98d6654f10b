export { CountersignError } from '../shared/errors/countersign-error.ts'
export type { Demands, VerifiedClaims } from './claims.ts'
export { createVerifier, type Verifier, type VerifierOptions, VerifierUnavailable } from './create-verifier.ts'
export { type RequireApprovalOptions, requireApproval, type UsedApproval } from './require-approval.ts'
export { type ServiceCall, type ServiceOptions, type ServiceRequest, serviceCall } from './service-call.ts'
export {
  createServiceClient,
  type ServiceClient,
  type ServiceConfirmation,
  type SettledServiceConfirmation,
  type WaitOptions,
} from './service-client.ts'
