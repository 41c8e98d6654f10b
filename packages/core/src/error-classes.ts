export * from './approvals/action-types/errors.ts'
export * from './approvals/confirmations/errors.ts'
export * from './approvals/doors/errors.ts'
export { NoApprovalPolicy } from './approvals/policies/policy-of.ts'
export { PolicyChanged } from './approvals/policies/require-unchanged.ts'
export * from './approvals/receipt-keys/errors.ts'
export * from './approvals/requests/errors.ts'
export * from './approvals/use/errors.ts'
export { NoTrustedDevice } from './approvals/vouching/able-to-vouch.ts'
export { TooManyVouchings } from './approvals/vouching/restarts.ts'
export { InsufficientTrustLevel } from './identity/authentication/caller.ts'
export { MissingScope } from './identity/authentication/calling-service.ts'
export * from './identity/authentication/errors.ts'
export * from './identity/devices/errors.ts'
export * from './identity/passkeys/errors.ts'
export * from './identity/user-model/errors.ts'
export * from './operations/errors.ts'
export { InvalidImportLine } from './projects/imports/import-lines.ts'
export * from './projects/product-schemas/errors.ts'
export * from './projects/projects/errors.ts'
export { DataErased } from './shared/crypto/field-encryption.ts'
export * from './shared/data-moves/errors.ts'
export {
  Conflict,
  CountersignError,
  type ErrorKind,
  Forbidden,
  Gone,
  Invalid,
  NotFound,
  NothingToChange,
  Overloaded,
  RateLimited,
  Unauthenticated,
  Unavailable,
  type UnavailableOptions,
} from './shared/errors.ts'
export { JsonRefused } from './shared/json/json-refused.ts'
export { SchemaRefused } from './shared/json-schema/schema-refused.ts'
