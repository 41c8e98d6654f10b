export type * from '@countersign/contract/action-types'
export type { ActionType, ActionTypeRegistry, ActionTypeWithText } from './approvals/action-types/action-type.ts'
export { type DefinedActionType, type DefinedPayload, defineActionType } from './approvals/action-types/define-action-type.ts'
export type { Archivable, ArchiveConfirmations } from './approvals/archive/archive-confirmations.ts'
export type { ArchivedConfirmation } from './approvals/archive/archived-confirmation.ts'
export type { AskedConfirmation } from './approvals/askers/asked-confirmation.ts'
export type { InitiatedConfirmation } from './approvals/confirmations/build-confirmation.ts'
export type { ConfirmationRecord } from './approvals/confirmations/confirmation-record.ts'
export type { Requester } from './approvals/confirmations/initiate.ts'
export type { ListAllConfirmations, ListedConfirmation } from './approvals/confirmations/list-all-confirmations.ts'
export type { ConfirmationView } from './approvals/confirmations/read-confirmation.ts'
export type { ShowConfirmation, ShownConfirmation } from './approvals/confirmations/show-confirmation.ts'
export type { Rejected, Rejecter } from './approvals/decisions/reject.ts'
export type { HostGate } from './approvals/doors/gate.ts'
export type { ConsumeApproval, ConsumedApproval, ConsumedApprovals } from './approvals/doors/host.ts'
export { type Gates, gateActionTypes } from './approvals/gate-options.ts'
export type { OwnConfirmation } from './approvals/history/list-own-confirmations.ts'
export type { HistoryReader } from './approvals/history/read-history.ts'
export { confirmationOutcomes, type Observer } from './approvals/observer.ts'
export type { PolicyWarnings } from './approvals/policies/policy-warnings.ts'
export type { PublishedReceiptKey } from './approvals/receipt-keys/receipt-key.ts'
export {
  generateReceiptKeyRing,
  parseReceiptKeyRing,
  type ReceiptAlgorithm,
  type ReceiptKeyRing,
} from './approvals/receipt-keys/receipt-key-ring.ts'
export {
  type ActionPolicy,
  type ApproverGroup,
  type GivenPolicy,
  groupsOf,
  type PolicyBand,
} from './approvals/records/action-policy.ts'
export { isApprovalPolicies } from './approvals/records/approval-policies.ts'
export type { GivenPayload } from './approvals/records/payload.ts'
export { weakBands } from './approvals/records/weak-bands.ts'
export type { NamedPolicy } from './approvals/requests/named-policy.ts'
export type { RequestView } from './approvals/requests/request-view.ts'
export type { ConsumeWithin } from './approvals/use/host-transaction.ts'
export type { VouchingState } from './approvals/vouching/read-vouching.ts'
export type { StoppedRequest } from './approvals/withdrawals/stop.ts'
export type { WithdrawnConfirmation, WithdrawnRequest } from './approvals/withdrawals/withdraw.ts'
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
export type { ServiceCredentials } from './identity/authentication/authenticate-service.ts'
export {
  type Caller,
  type CallerOrAdmin,
  type CallerWithPermissions,
  requirePermission,
} from './identity/authentication/caller.ts'
export type { CallingService } from './identity/authentication/calling-service.ts'
export type { Introspection } from './identity/authentication/introspect.ts'
export type { ListAllDevices, ListedDevice } from './identity/devices/admin-devices.ts'
export {
  type CommittedChallenge,
  deviceLoginChallenge,
  deviceRegistrationChallenge,
} from './identity/devices/device-challenge.ts'
export { argon2Hasher } from './identity/hashing/argon2-hasher.ts'
export { unusableHashFormats } from './identity/hashing/formats/format-trial.ts'
export type { LaneLoad, PasswordHasher } from './identity/hashing/hasher.ts'
export type { CodeDelivery, DeliverCode } from './identity/one-time-codes/code-delivery.ts'
export type { CheckPassword, PasswordUser, RelyingParty } from './identity/options.ts'
export type { PasskeyOfAdmin } from './identity/passkeys/admin-passkeys.ts'
export type { CheckedPasswordCode } from './identity/passwords/password-code.ts'
export type { Notice, OnNotice } from './identity/push/notify-of-change.ts'
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
export type { PushTestResult } from './identity/push/test-push.ts'
export { defaultRateLimits, limitSubject, perMinute, type RateLimits } from './identity/rate-limits/limits.ts'
export type { RateLimit, RateLimitDecision, RateLimitState, RateLimitStore } from './identity/rate-limits/store.ts'
export type { RateLimitOutcome } from './identity/rate-limits/take-rate-limit.ts'
export type { Device } from './identity/records/device.ts'
export type { Passkey } from './identity/records/passkey.ts'
export type { ServiceToken } from './identity/records/service-token.ts'
export type { SessionKind } from './identity/records/session.ts'
export type { Trust } from './identity/records/trust.ts'
export type { UserProfile } from './identity/records/user.ts'
export { refusalReasons } from './identity/refusals.ts'
export type { IssuedServiceToken, IssueServiceToken } from './identity/service-tokens/issue-service-token.ts'
export type { ListAllSessions, ListedSession } from './identity/sessions/admin-sessions.ts'
export type { BoundCaller, InSession } from './identity/sessions/bound-of-caller.ts'
export type { OpenedSession, OpenHostSession } from './identity/sessions/open-host-session.ts'
export type { OwnAccount } from './identity/sessions/own-account.ts'
export type { OwnSession } from './identity/sessions/own-sessions.ts'
export type { SessionProfile } from './identity/sessions/session-profile.ts'
export type { TokenPair } from './identity/tokens/issue-tokens.ts'
export type { StartedVouching } from './identity/trust/vouching-port.ts'
export type { Registered, WithTrust } from './identity/trust/with-trust.ts'
export type { CreateUser } from './identity/user-administration/create-user.ts'
export type { DelegatePermission, DelegationProfile } from './identity/user-administration/delegations.ts'
export type { DeletedUser } from './identity/user-administration/delete-user.ts'
export type { UserExport } from './identity/user-administration/export-user.ts'
export type { UserLine } from './identity/user-administration/imports/check-line.ts'
export type { ImportUsers } from './identity/user-administration/imports/import-users.ts'
export type { LineResult } from './identity/user-administration/imports/store-batch.ts'
export type { InviteUser, IssuedCode } from './identity/user-administration/issue-code.ts'
export type { CountUsers, ListUsers } from './identity/user-administration/list-users.ts'
export type { UpdateUser } from './identity/user-administration/update-user.ts'
export { type DirectoryUser, type UserDirectory, UserDirectoryMistake } from './identity/user-model/directory.ts'
export { normaliseEmail } from './identity/user-model/email.ts'
export type { OldSpelling } from './identity/user-model/old-spellings.ts'
export type { GrantedBy } from './identity/user-model/on-grant.ts'
export { grantsAnything, knownPermissions } from './identity/user-model/permissions.ts'
export type { ApproverExplained } from './operations/explain-approver.ts'
export type { Recovery } from './operations/recover-after-restore.ts'
export { requireNoServer } from './operations/require-no-server.ts'
export type { SealedFieldsReport } from './operations/sealed-fields/examine-sealed-fields.ts'
export type { FieldRotation } from './operations/sealed-fields/rotate-sealed-fields.ts'
export { declaredOptions, defaultOptions, type Options } from './options.ts'
export { allParts, type Part } from './parts.ts'
export { formatAmount } from './projects/expenses/amount.ts'
export type { ExpenseSummary } from './projects/expenses/expenses.ts'
export { importMembers } from './projects/imports/import-lines.ts'
export type { ImportInput } from './projects/imports/run-import.ts'
export type { ProductSchema, ProductSchemaRegistry } from './projects/product-schemas/product-schema.ts'
export type { ProjectList } from './projects/projects/read-projects.ts'
export type { Customer } from './projects/records/customer.ts'
export type { Amount } from './projects/records/expense.ts'
export type { Contact, Project, ProjectDetail } from './projects/records/project.ts'
export { ProjectCodeMistake } from './projects/records/project-code.ts'
export type { ImportCounts, ResourceCount } from './projects/records/resource.ts'
export { approvalsKeptFor, type SweptKind, type SweptRows } from './retention.ts'
export type { Background } from './shared/background.ts'
export { type Clock, type Instant, type Milliseconds, realTime, systemClock, toIsoTimestamp } from './shared/clock.ts'
export { FieldNotOpened } from './shared/crypto/field-encryption.ts'
export { generateKeyRing, InvalidKeyRing, type KeyRing, parseKeyRing } from './shared/crypto/key-ring.ts'
export { type DatabaseClock, databaseClock } from './shared/database-clock.ts'
export type { FromClient } from './shared/from-client.ts'
export type { HealthReport } from './shared/health/check-health.ts'
export type { ReadinessReport } from './shared/health/check-readiness.ts'
export type { Finding } from './shared/health/finding.ts'
export type { HostClient, WithinTransaction } from './shared/host-client.ts'
export type { ImportLine, RefusedLine } from './shared/import-line.ts'
export { inspectJson } from './shared/json/inspect-json.ts'
export type { SchemaNotes } from './shared/json-schema/check-new-schema.ts'
export type { ListAll, Page } from './shared/list-page.ts'
export { type Logger, silentLogger } from './shared/logger.ts'
export type { ObservedStatement, StorageObserver, StorageStatistics } from './shared/observed-storage.ts'
export type { BoundedOption, Option, Retention } from './shared/option.ts'
export { type Random, systemRandom } from './shared/random.ts'
export type { ByKey } from './shared/schema-registry/bind-registry.ts'
export type { Compatibility } from './shared/schema-registry/check-version.ts'
export type { RegisteredVersions } from './shared/schema-registry/read-versions.ts'
export type { NewVersion } from './shared/schema-registry/register-version.ts'
export { newestActive } from './shared/schema-registry/schema-version.ts'
export type { UnavailableReason } from './shared/unavailable-reason.ts'
export type { MigratedStorage, Storage } from './storage.ts'
