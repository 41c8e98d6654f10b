export type * from '@countersign/contract/action-types'
export type { ActionType, ActionTypeRegistry, ActionTypeWithText } from './approvals/action-types/action-type.ts'
export { type DefinedActionType, type DefinedPayload, defineActionType } from './approvals/action-types/define-action-type.ts'
export { type Gates, gateActionTypes } from './approvals/gate-options.ts'
export { confirmationOutcomes, type Observer } from './approvals/observer.ts'
export type { PublishedReceiptKey } from './approvals/receipt-keys/receipt-key.ts'
export {
  generateReceiptKeyRing,
  parseReceiptKeyRing,
  type ReceiptAlgorithm,
  type ReceiptKeyRing,
} from './approvals/receipt-keys/receipt-key-ring.ts'
export {
  type ActionPolicy,
  type GivenPolicy,
  groupsOf,
  type PolicyBand,
} from './approvals/records/action-policy.ts'
export { isApprovalPolicies } from './approvals/records/approval-policies.ts'
export { weakBands } from './approvals/records/weak-bands.ts'
export type { NamedPolicy } from './approvals/requests/named-policy.ts'
export type { CountersignConfig, ReceiptConfig } from './config.ts'
export {
  type Countersign,
  type CountersignApprovals,
  type CountersignIdentity,
  type CountersignOf,
  type CountersignProjects,
  createCountersign,
} from './countersign.ts'
export * as errors from './errors.ts'
export { type Caller, requirePermission } from './identity/authentication/caller.ts'
export type { CallingService } from './identity/authentication/calling-service.ts'
export type { Introspection } from './identity/authentication/introspect.ts'
export {
  type CommittedChallenge,
  deviceLoginChallenge,
  deviceRegistrationChallenge,
} from './identity/devices/device-challenge.ts'
export { argon2Hasher } from './identity/hashing/argon2-hasher.ts'
export { unusableHashFormats } from './identity/hashing/formats/format-trial.ts'
export type { LaneLoad, PasswordHasher } from './identity/hashing/hasher.ts'
export type { CheckPassword, PasswordUser, RelyingParty } from './identity/options.ts'
export type { Notice, OnNotice } from './identity/push/notice.ts'
export {
  type AccountChange,
  type AccountChanged,
  type ConfirmationRequested,
  type ConfirmationSettled,
  noPush,
  type PushMessage,
  type PushProvider,
  type PushTest,
  PushTokenGone,
  pushMessageTypes,
} from './identity/push/push-provider.ts'
export { type Subscription, subscriptionOf } from './identity/push/subscription.ts'
export { defaultRateLimits, limitSubject, perMinute, type RateLimits } from './identity/rate-limits/limits.ts'
export type { RateLimit, RateLimitDecision, RateLimitState, RateLimitStore } from './identity/rate-limits/store.ts'
export type { Device } from './identity/records/device.ts'
export type { Passkey } from './identity/records/passkey.ts'
export type { ServiceToken } from './identity/records/service-token.ts'
export type { Trust } from './identity/records/trust.ts'
export type { UserProfile } from './identity/records/user.ts'
export { refusalReasons } from './identity/refusals.ts'
export type { TokenPair } from './identity/tokens/issue-tokens.ts'
export type { WithTrust } from './identity/trust/with-trust.ts'
export type { UserLine } from './identity/user-administration/imports/check-line.ts'
export { type DirectoryUser, type UserDirectory, UserDirectoryMistake } from './identity/user-model/directory.ts'
export { normaliseEmail } from './identity/user-model/email.ts'
export { grantsAnything, knownPermissions } from './identity/user-model/permissions.ts'
export { requireNoServer } from './operations/require-no-server.ts'
export { declaredOptions, defaultOptions, type Options } from './options.ts'
export { allParts, type Part } from './parts.ts'
export { formatAmount } from './projects/expenses/amount.ts'
export { importMembers } from './projects/imports/import-lines.ts'
export type { ProductSchema, ProductSchemaRegistry } from './projects/product-schemas/product-schema.ts'
export type { Customer } from './projects/records/customer.ts'
export type { Amount } from './projects/records/expense.ts'
export type { Contact, Project, ProjectDetail } from './projects/records/project.ts'
export { ProjectCodeMistake } from './projects/records/project-code.ts'
export type { ImportCounts } from './projects/records/resource.ts'
export { approvalsKeptFor, type SweptKind, type SweptRows } from './retention.ts'
export type { Background } from './shared/background.ts'
export { type Clock, type Instant, type Milliseconds, realTime, systemClock, toIsoTimestamp } from './shared/clock.ts'
export { FieldNotOpened } from './shared/crypto/field-encryption.ts'
export { generateKeyRing, InvalidKeyRing, type KeyRing, parseKeyRing } from './shared/crypto/key-ring.ts'
export { type DatabaseClock, databaseClock } from './shared/database-clock.ts'
export type { HealthReport } from './shared/health/check-health.ts'
export type { ReadinessReport } from './shared/health/check-readiness.ts'
export type { HostClient, WithinTransaction } from './shared/host-client.ts'
export { inspectJson } from './shared/json/inspect-json.ts'
export type { Page } from './shared/list-page.ts'
export { type Logger, silentLogger } from './shared/logger.ts'
export type { ObservedStatement, StorageObserver, StorageStatistics } from './shared/observed-storage.ts'
export type { BoundedOption, Option } from './shared/option.ts'
export { type Random, systemRandom } from './shared/random.ts'
export type { Retention } from './shared/retention-option.ts'
export { newestActive } from './shared/schema-registry/schema-version.ts'
export type { UnavailableReason } from './shared/unavailable-reason.ts'
export type { MigratedStorage, Storage } from './storage.ts'
