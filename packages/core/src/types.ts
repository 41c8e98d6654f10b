export type { ActionType, ActionTypeWithText, RegisterActionType } from './approvals/action-types/action-type.ts'
export type { Archivable, ArchiveConfirmations } from './approvals/archive/archive-confirmations.ts'
export type { ArchivedConfirmation } from './approvals/archive/archived-confirmation.ts'
export type { AskedConfirmation, WithdrawnConfirmation } from './approvals/askers/asked-confirmation.ts'
export type { WithdrawnRequest } from './approvals/askers/asked-request.ts'
export type { InitiatedConfirmation } from './approvals/confirmations/build-confirmation.ts'
export type { ConfirmationRecord } from './approvals/confirmations/confirmation-record.ts'
export type { Requester } from './approvals/confirmations/initiate.ts'
export type { ListAllConfirmations, ListedConfirmation } from './approvals/confirmations/list-all-confirmations.ts'
export type { ConfirmationView } from './approvals/confirmations/read-confirmation.ts'
export type { ShowConfirmation, ShownConfirmation } from './approvals/confirmations/show-confirmation.ts'
export type { Rejecter } from './approvals/decisions/reject.ts'
export type { GatedAction, GateOfType, GateOptions, HostGate, HostGateCall } from './approvals/doors/gate.ts'
export type { ConsumeApproval, ConsumedApproval, ConsumedApprovals, ConsumeRequest } from './approvals/doors/host.ts'
export type { RedeemedRequest, UseWithReceipt } from './approvals/doors/service.ts'
export type { GateName } from './approvals/gate-options.ts'
export type { ConfirmationOutcome, ConfirmationStep } from './approvals/observer.ts'
export type { PolicyDryRun } from './approvals/policies/dry-run-policy.ts'
export type { FilledGroup } from './approvals/policies/match-groups.ts'
export type { PolicyWarnings } from './approvals/policies/policy-warnings.ts'
export type { ReceiptIssuer } from './approvals/receipt-issuer.ts'
export type { PublishedReceiptKey } from './approvals/receipt-keys/receipt-key.ts'
export type { ReceiptJwk, ReceiptSigningKey } from './approvals/receipt-keys/receipt-key-ring.ts'
export type { ActionPolicy, ApproverGroup } from './approvals/records/action-policy.ts'
export type {
  ConfirmationUse,
  ConfirmationWithdrawal,
  RequestUse,
  RequestWithdrawal,
  Settlement,
} from './approvals/records/approval.ts'
export type { ApprovalRequest } from './approvals/records/approval-request.ts'
export type {
  Approval,
  ApprovalAssertion,
  ApprovalOutcome,
  Confirmation,
  ConfirmationPageQuery,
  Evidence,
  FinishedPage,
  FinishedQuery,
  WrongAttempt,
} from './approvals/records/confirmation.ts'
export type { LiveApproval, LiveChange, WatchChanges } from './approvals/records/live-change.ts'
export type { GivenPayload } from './approvals/records/payload.ts'
export type { AnnouncedConfirmation, Announcement, Waiting } from './approvals/records/push-window.ts'
export type { Vouching, VouchingSubject } from './approvals/records/vouching.ts'
export type { RequestView } from './approvals/requests/request-view.ts'
export type { TestedPolicy } from './approvals/requests/test-policy.ts'
export type { ApprovalStores, HostTransactionStores, WithinHostTransactions } from './approvals/stores.ts'
export type { ConsumeWithin } from './approvals/use/host-transaction.ts'
export type { ServiceCredentials } from './identity/authentication/authenticate-service.ts'
export type { CallerOrAdmin, CallerWithPermissions } from './identity/authentication/caller.ts'
export type { TokenQuestion } from './identity/authentication/introspect.ts'
export type { DeviceLoginStatement, DeviceRegistrationStatement } from './identity/devices/device-challenge.ts'
export type { ListAllDevices, ListedDevice } from './identity/devices/list-all-devices.ts'
export type { Argon2Options } from './identity/hashing/argon2-hasher.ts'
export type { ImportedHash } from './identity/hashing/hasher.ts'
export type {
  LoginAttemptState,
  LoginCeiling,
  LoginFailures,
  LoginSource,
  LoginWaits,
} from './identity/login-throttle/login-failures.ts'
export type { Enrolment } from './identity/options.ts'
export type { PasskeyOfAdmin } from './identity/passkeys/passkey-of-admin.ts'
export type { PushTestResult } from './identity/push/test-push.ts'
export type { RateLimit, RateLimitDecision, RateLimitState } from './identity/rate-limits/store.ts'
export type { RateLimitOutcome } from './identity/rate-limits/take-rate-limit.ts'
export type { AnnouncedServer } from './identity/records/announced-server.ts'
export type { Bound, BoundToTenants } from './identity/records/bound.ts'
export type { Challenge, ChallengePurpose, ChallengeSubjects } from './identity/records/challenge.ts'
export type { Delegation, DelegationKey } from './identity/records/delegation.ts'
export type { Device, DevicePageQuery, PagedDevice, StoredPushToken } from './identity/records/device.ts'
export type { CodeUse, OneTimeCode, OneTimeCodeKind } from './identity/records/one-time-code.ts'
export type { Passkey, PasskeyUse, RemovedPasskey, TrustedKey } from './identity/records/passkey.ts'
export type { RegistrationEvidence } from './identity/records/registration-evidence.ts'
export type { ServiceToken } from './identity/records/service-token.ts'
export type {
  HostSignIn,
  RepeatedRotation,
  Rotation,
  Session,
  SessionEnd,
  SessionKind,
  SessionPageQuery,
  SessionStatus,
} from './identity/records/session.ts'
export type { Trust } from './identity/records/trust.ts'
export type { EnrolmentFacts, EnrolmentQuestion, Registrations } from './identity/records/trust-store.ts'
export type { ApproverQuery, NewUser, User, UserChange, UserQuery } from './identity/records/user.ts'
export type { IssuedServiceToken, IssueServiceToken } from './identity/service-tokens/issue-service-token.ts'
export type { BoundCaller } from './identity/sessions/bound-of-caller.ts'
export type { ListAllSessions, ListedSession } from './identity/sessions/list-all-sessions.ts'
export type { NamedUser } from './identity/sessions/named-user.ts'
export type { OpenedSession, OpenHostSession, OpenSessionForService } from './identity/sessions/open-host-session.ts'
export type { OwnSession } from './identity/sessions/own-sessions.ts'
export type { SessionProfile } from './identity/sessions/session-profile.ts'
export type { IdentityStores } from './identity/stores.ts'
export type { StartedVouching } from './identity/trust/vouching-port.ts'
export type { Registered } from './identity/trust/with-trust.ts'
export type { CreateUser } from './identity/user-administration/create-user.ts'
export type { DelegatePermission, DelegationProfile } from './identity/user-administration/delegate-permission.ts'
export type { DeletedUser } from './identity/user-administration/delete-user.ts'
export type { ExportedDevice, UserExport } from './identity/user-administration/export-user.ts'
export type { ImportedUsers, ImportUsers } from './identity/user-administration/imports/import-users.ts'
export type { ExistingUsers, LineResult } from './identity/user-administration/imports/store-batch.ts'
export type { IssuedCode } from './identity/user-administration/issue-code.ts'
export type { CountUsers, ListUsers } from './identity/user-administration/list-users.ts'
export type { UpdateUser } from './identity/user-administration/update-user.ts'
export type { SettledConfirmation } from './identity/user-model/account-endings.ts'
export type { OldSpelling } from './identity/user-model/old-spellings.ts'
export type { GrantedBy } from './identity/user-model/on-grant.ts'
export type { ProfileInput } from './identity/user-model/user-input.ts'
export type { Check } from './operations/check-installation.ts'
export type { ApproverExplained, ExplainApprover } from './operations/explain-approver.ts'
export type { RecoverAfterRestore, Recovery } from './operations/recover-after-restore.ts'
export type { FieldsOfKey, SealedFieldsReport } from './operations/sealed-fields/examine-sealed-fields.ts'
export type {
  FieldRotation,
  FieldRotationOptions,
  FieldRotationProgress,
  RotatableStorage,
  RotatedTable,
} from './operations/sealed-fields/rotate-sealed-fields.ts'
export type {
  ReplacedText,
  SealedColumn,
  SealedRow,
  SealedRowsQuery,
  SealedTable,
  SealedTexts,
} from './operations/sealed-fields/sealed-fields.ts'
export type { GivenOptions } from './options.ts'
export type { Part } from './parts.ts'
export type { ExpenseSummary } from './projects/expenses/sum-expenses.ts'
export type { ImportInput } from './projects/imports/run-import.ts'
export type { BuiltInSchema } from './projects/product-schemas/built-in-schemas.ts'
export type { ProductSchema, ProductSchemaWithText, RegisterProductSchema } from './projects/product-schemas/product-schema.ts'
export type { ProjectList } from './projects/projects/list-projects.ts'
export type { Customer } from './projects/records/customer.ts'
export type { Amount, Expense, ExpenseSums } from './projects/records/expense.ts'
export type {
  Contact,
  NewProject,
  PersonalProject,
  Product,
  Project,
  ProjectChange,
  ProjectDetail,
  ProjectPage,
  ProjectQuery,
  ProjectReference,
  ProjectRole,
} from './projects/records/project.ts'
export type { ImportCounts, Resource } from './projects/records/resource.ts'
export type { ResourceCount } from './projects/resources/count-resources.ts'
export type { ProjectStores } from './projects/stores.ts'
export type { OnSwept, RetainedKind, RetentionLimits, SweepLimits, SweptKind, SweptRows } from './retention.ts'
export type { UrlParts } from './shared/addresses/split-url.ts'
export type { Instant, Milliseconds } from './shared/clock.ts'
export type { SealedField } from './shared/crypto/field-encryption.ts'
export type { DataMoveOptions, DataMoveProgress, DataSource, MovedTable } from './shared/data-moves/data-move.ts'
export type { DataSnapshot, StoredColumn, StoredRow, StoredTable, StoredValue } from './shared/data-moves/snapshot.ts'
export type { DatabaseClockConfig } from './shared/database-clock.ts'
export type { FromClient, SeenClient } from './shared/from-client.ts'
export type { Finding } from './shared/health/finding.ts'
export type { HostClient, WithinTransaction } from './shared/host-client.ts'
export type { ImportLine, RefusedLine } from './shared/import-line.ts'
export type { JsonPath } from './shared/json/json-refused.ts'
export type { SchemaNotes } from './shared/json-schema/check-new-schema.ts'
export type { BreakingChange } from './shared/json-schema/compatibility/breaking-changes.ts'
export type { ListAll, ListPosition, PageQuery } from './shared/list-page.ts'
export type { ConnectionStatistics, ObservedStatement, StorageObserver, StorageStatistics } from './shared/observed-storage.ts'
export type { ByKey } from './shared/schema-registry/bind-registry.ts'
export type { Compatibility } from './shared/schema-registry/check-version.ts'
export type { RegisteredVersions } from './shared/schema-registry/read-versions.ts'
export type { NewVersion } from './shared/schema-registry/register-version.ts'
export type { SchemaEntry, SchemaEntryWithText } from './shared/schema-registry/schema-entry.ts'
export type { Transactional } from './shared/transactional.ts'
export type { UnavailableReason } from './shared/unavailable-reason.ts'
export type { DatabaseControl, RecoveredRows, RecoveryTimes, StorageOf } from './storage.ts'
