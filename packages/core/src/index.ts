export type * from '@countersign/contract/action-types'
export type {
  ActionType,
  ActionTypeRegistry,
  ActionTypeWithText,
  RegisterActionType,
} from './approvals/action-types/action-type.ts'
export type { Archivable, ArchiveConfirmations } from './approvals/archive/archive-confirmations.ts'
export type { ArchivedConfirmation } from './approvals/archive/archived-confirmation.ts'
export type { InitiatedConfirmation } from './approvals/confirmations/build-confirmation.ts'
export type { ConfirmationRecord } from './approvals/confirmations/confirmation-record.ts'
export type { Requester } from './approvals/confirmations/initiate.ts'
export type { ListAllConfirmations, ListedConfirmation } from './approvals/confirmations/list-all-confirmations.ts'
export type { GivenPayload } from './approvals/confirmations/payload.ts'
export type { ConfirmationView } from './approvals/confirmations/read-confirmation.ts'
export type { WithdrawnConfirmation } from './approvals/confirmations/settle-withdrawal.ts'
export type { ShowConfirmation, ShownConfirmation } from './approvals/confirmations/show-confirmation.ts'
export type { ConsumeApproval } from './approvals/consumption/consume.ts'
export type { ConsumedApproval } from './approvals/consumption/consume-for-host.ts'
export type { ConsumedConfirmation } from './approvals/consumption/consume-in.ts'
export type { ConsumeWithin } from './approvals/consumption/host-transaction.ts'
export type { UseWithReceipt } from './approvals/consumption/receipt-of-use.ts'
export type { Rejecter } from './approvals/decisions/reject-request.ts'
export { type GateName, type Gates, gateActionTypes } from './approvals/gate-options.ts'
export type { GatedAction, GateOfType, GateOptions, HostGate, HostGateCall } from './approvals/gates/create-gate.ts'
export { type ConfirmationOutcome, type ConfirmationStep, confirmationOutcomes, type Observer } from './approvals/observer.ts'
export type { PolicyDryRun } from './approvals/policies/dry-run-policy.ts'
export type { ReceiptIssuer } from './approvals/receipt-issuer.ts'
export { maySign, type PublishedReceiptKey } from './approvals/receipt-keys/receipt-key.ts'
export {
  generateReceiptKeyRing,
  parseReceiptKeyRing,
  type ReceiptAlgorithm,
  type ReceiptJwk,
  type ReceiptKeyRing,
  type ReceiptSigningKey,
  receiptAlgorithms,
} from './approvals/receipt-keys/receipt-key-ring.ts'
export {
  type ActionPolicy,
  type ApproverGroup,
  type GivenPolicy,
  groupsOf,
  isApprovalPolicies,
  type PolicyBand,
} from './approvals/records/action-policy.ts'
export type { Confirmation, Evidence } from './approvals/records/confirmation.ts'
export type { ConsumeRequest } from './approvals/requests/consume-request.ts'
export type { ConsumedApprovals, NamedPolicy } from './approvals/requests/named-policy.ts'
export type { RequestView } from './approvals/requests/read-request.ts'
export type { TestedPolicy } from './approvals/requests/test-policy.ts'
export type { RedeemedRequest } from './approvals/requests/use-request.ts'
export type { WithdrawnRequest } from './approvals/requests/withdraw-request.ts'
export type { ReadForService, ServiceConfirmationView } from './approvals/services/read-for-service.ts'
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
export type { DirectoryUser, UserDirectory } from './identity/accounts/directory.ts'
export { UserDirectoryMistake } from './identity/accounts/directory.ts'
export { normaliseEmail } from './identity/accounts/email.ts'
export type { GrantedBy } from './identity/accounts/on-grant.ts'
export { grantsAnything, knownPermissions, wildcardFor } from './identity/accounts/permissions.ts'
export type { ProfileInput } from './identity/accounts/user-input.ts'
export type { ServiceCredentials } from './identity/authentication/authenticate-service.ts'
export {
  type Caller,
  type CallerOrAdmin,
  type CallerWithPermissions,
  requirePermission,
} from './identity/authentication/caller.ts'
export { type CallingService, hasScope, requireScope } from './identity/authentication/calling-service.ts'
export type { Introspection, TokenQuestion } from './identity/authentication/introspect.ts'
export { refusalReasons } from './identity/authentication/refusals.ts'
export {
  type CommittedChallenge,
  type DeviceLoginStatement,
  type DeviceRegistrationStatement,
  deviceLoginChallenge,
  deviceRegistrationChallenge,
} from './identity/devices/device-challenge.ts'
export type { ListAllDevices, ListedDevice } from './identity/devices/list-all-devices.ts'
export { type Argon2Options, argon2Hasher } from './identity/hashing/argon2-hasher.ts'
export { unusableHashFormats } from './identity/hashing/formats/format-trial.ts'
export type { ImportedHash, LaneLoad, PasswordHasher } from './identity/hashing/hasher.ts'
export type { CheckPassword, PasswordUser, RelyingParty } from './identity/options.ts'
export { type Enrolment, enrolments } from './identity/options.ts'
export type { PasskeyOfAdmin } from './identity/passkeys/passkey-of-admin.ts'
export type { Notice, OnNotice } from './identity/push/notice.ts'
export {
  type AccountChange,
  type AccountChanged,
  accountChanges,
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
export type { PushTestResult } from './identity/push/test-push.ts'
export { defaultRateLimits, perMinute, type RateLimits } from './identity/rate-limits/limits.ts'
export { limitSubject } from './identity/rate-limits/refused-requests.ts'
export type { RateLimit, RateLimitDecision, RateLimitState, RateLimitStore } from './identity/rate-limits/store.ts'
export type { RateLimitOutcome } from './identity/rate-limits/take-rate-limit.ts'
export type { Challenge } from './identity/records/challenge.ts'
export type { Delegation } from './identity/records/delegation.ts'
export type { Device } from './identity/records/device.ts'
export type { Passkey } from './identity/records/passkey.ts'
export type { ServiceToken } from './identity/records/service-token.ts'
export type { HostSignIn, SessionEnd, SessionKind } from './identity/records/session.ts'
export { isTrusted, type Trust } from './identity/records/trust.ts'
export type { UserProfile } from './identity/records/user.ts'
export type { IssuedServiceToken, IssueServiceToken } from './identity/service-tokens/issue-service-token.ts'
export type { ListAllSessions, ListedSession } from './identity/sessions/list-all-sessions.ts'
export type { NamedUser } from './identity/sessions/named-user.ts'
export type { OpenedSession, OpenHostSession, OpenSessionForService } from './identity/sessions/open-host-session.ts'
export type { OwnSession } from './identity/sessions/own-sessions.ts'
export type { SessionProfile } from './identity/sessions/session-profile.ts'
export type { TokenPair } from './identity/tokens/issue-tokens.ts'
export type { StartedVouching } from './identity/trust/vouching-port.ts'
export type { Registered, WithTrust } from './identity/trust/with-trust.ts'
export type { CreateUser } from './identity/users/create-user.ts'
export type { DelegatePermission, DelegationProfile } from './identity/users/delegate-permission.ts'
export type { DeletedUser } from './identity/users/delete-user.ts'
export type { ExportedDevice, UserExport } from './identity/users/export-user.ts'
export type { UserLine } from './identity/users/imports/check-line.ts'
export type { ImportedUsers, ImportUsers } from './identity/users/imports/import-users.ts'
export type { ExistingUsers, LineResult } from './identity/users/imports/store-batch.ts'
export type { IssuedCode } from './identity/users/issue-code.ts'
export type { UpdateUser } from './identity/users/update-user.ts'
export type { Check } from './operations/check-installation.ts'
export type { ApproverExplained, ExplainApprover } from './operations/explain-approver.ts'
export type { RecoverAfterRestore, Recovery } from './operations/recover-after-restore.ts'
export { declaredOptions, defaultOptions, type GivenOptions, type Options } from './options.ts'
export { allParts, type Part } from './parts.ts'
export { formatAmount } from './projects/expenses/amount.ts'
export type { ExpenseSummary } from './projects/expenses/sum-expenses.ts'
export { importMembers } from './projects/imports/import-lines.ts'
export { ProjectCodeMistake } from './projects/options.ts'
export type {
  ProductSchema,
  ProductSchemaRegistry,
  ProductSchemaWithText,
  RegisterProductSchema,
} from './projects/product-schemas/product-schema.ts'
export type { ProjectList } from './projects/projects/list-projects.ts'
export type { Customer } from './projects/records/customer.ts'
export type { Amount } from './projects/records/expense.ts'
export type { Contact, Product, Project, ProjectDetail } from './projects/records/project.ts'
export type { ImportCounts } from './projects/records/resource.ts'
export type { ResourceCount } from './projects/resources/count-resources.ts'
export { approvalsKeptFor, type SweptKind, type SweptRows, sweptKinds } from './retention.ts'
export type { Background } from './shared/background.ts'
export { type Clock, type Instant, realTime, systemClock, toIsoTimestamp } from './shared/clock.ts'
export { FieldNotOpened } from './shared/crypto/field-encryption.ts'
export { generateKeyRing, InvalidKeyRing, type KeyRing, parseKeyRing } from './shared/crypto/key-ring.ts'
export { type DatabaseClock, type DatabaseClockConfig, databaseClock, WORST_CLOCK_OFFSET } from './shared/database-clock.ts'
export type { FromClient, SeenClient } from './shared/from-client.ts'
export type { HealthReport } from './shared/health/check-health.ts'
export type { ReadinessReport } from './shared/health/check-readiness.ts'
export type { HostClient } from './shared/host-client.ts'
export type { ImportLine, RefusedLine } from './shared/import-line.ts'
export { inspectJson } from './shared/json/inspect-json.ts'
export type { JsonPath } from './shared/json/json-refused.ts'
export type { SchemaNotes } from './shared/json-schema/check-new-schema.ts'
export type { BreakingChange } from './shared/json-schema/compatibility/breaking-changes.ts'
export type { ListAll, Page } from './shared/list-page.ts'
export { type Logger, silentLogger } from './shared/logger.ts'
export type {
  ConnectionStatistics,
  ObservedStatement,
  StorageObserver,
  StorageStatistics,
} from './shared/observed-storage.ts'
export type { BoundedOption, Option } from './shared/option.ts'
export { type Random, systemRandom } from './shared/random.ts'
export type { RecoveredRows } from './shared/recovery.ts'
export type { Retention } from './shared/retention-option.ts'
export type { ByKey } from './shared/schema-registry/bind-registry.ts'
export type { Compatibility } from './shared/schema-registry/check-version.ts'
export type { RegisteredVersions } from './shared/schema-registry/read-versions.ts'
export type { NewVersion } from './shared/schema-registry/register-version.ts'
export { newestActive } from './shared/schema-registry/schema-version.ts'
export { type UnavailableReason, unavailableReasons } from './shared/unavailable-reason.ts'
export type { MigratedStorage, Storage } from './storage.ts'
