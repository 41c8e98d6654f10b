export type { ActionType, ActionTypeStore, ActionTypeWithText } from '../approvals/action-types/action-type.ts'
export type { PublishedReceiptKey, ReceiptKeyStore } from '../approvals/receipt-keys/receipt-key.ts'
export type { ActionPolicy, ActionPolicyStore } from '../approvals/records/action-policy.ts'
export type {
  ApprovalRequest,
  ApprovalRequestStore,
  Redemption,
  RequestRejection,
} from '../approvals/records/approval-request.ts'
export type * from '../approvals/records/confirmation.ts'
export type { LiveApproval, LiveChange, WatchChanges } from '../approvals/records/live-change.ts'
export type { AnnouncedConfirmation, Announcement, PushWindowStore, Waiting } from '../approvals/records/push-window.ts'
export type { Vouching, VouchingStore, VouchingSubject } from '../approvals/records/vouching.ts'
export type { ApprovalStores, HostTransactionStores, WithinHostTransactions } from '../approvals/stores.ts'
export type { SettledConfirmation } from '../identity/accounts/account-endings.ts'
export { type OldSpelling, oldSpellings } from '../identity/accounts/old-spellings.ts'
export type { SecretStore } from '../identity/digest-key.ts'
export type * from '../identity/login-throttle/login-failures.ts'
export type { LoginSource } from '../identity/login-throttle/login-source.ts'
export { bucketCapacityMs, CLOCK_TOLERANCE, currentFullAt, decideRateLimit } from '../identity/rate-limits/bucket.ts'
export type { RateLimit, RateLimitDecision, RateLimitState, RateLimitStore } from '../identity/rate-limits/store.ts'
export { giveBackToState, idleFrom, takeFromState } from '../identity/rate-limits/take-from-state.ts'
export type { AnnouncedServer, ServerStore } from '../identity/records/announced-server.ts'
export type { Challenge, ChallengePurpose, ChallengeStore, ChallengeSubjects } from '../identity/records/challenge.ts'
export type { Delegation, DelegationKey, DelegationStore } from '../identity/records/delegation.ts'
export type { Device, DevicePageQuery, DeviceStore, PagedDevice, StoredPushToken } from '../identity/records/device.ts'
export type { CodeUse, OneTimeCode, OneTimeCodeKind, OneTimeCodeStore } from '../identity/records/one-time-code.ts'
export type { Passkey, PasskeyStore, PasskeyUse, RemovedPasskey, TrustedKey } from '../identity/records/passkey.ts'
export type { DeviceRegistrationStore, RegistrationEvidence } from '../identity/records/registration-evidence.ts'
export type { ServiceToken, ServiceTokenStore } from '../identity/records/service-token.ts'
export type { HostSignIn, RepeatedRotation, Rotation, SessionPageQuery, SessionStore } from '../identity/records/session.ts'
export {
  endsThatKeepWork,
  type Session,
  type SessionEnd,
  type SessionKind,
  type SessionStatus,
} from '../identity/records/session.ts'
export type { Trust } from '../identity/records/trust.ts'
export type { EnrolmentFacts, EnrolmentQuestion, Registrations, TrustStore } from '../identity/records/trust-store.ts'
export type { ApproverQuery, NewUser, User, UserChange, UserStore } from '../identity/records/user.ts'
export type { IdentityStores } from '../identity/stores.ts'
export { examineSchema } from '../operations/examine-schema.ts'
export { allParts, checkedParts, type Part } from '../parts.ts'
export { type BuiltInSchema, builtInSchemas } from '../projects/product-schemas/built-in-schemas.ts'
export {
  type ProductSchema,
  type ProductSchemaStore,
  type ProductSchemaWithText,
  productSchemaKey,
} from '../projects/product-schemas/product-schema.ts'
export { searchedText } from '../projects/projects/searched-text.ts'
export type { Customer, CustomerStore } from '../projects/records/customer.ts'
export type { Amount, Expense, ExpenseStore, ExpenseSums } from '../projects/records/expense.ts'
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
  ProjectStore,
} from '../projects/records/project.ts'
export { type ProjectRole, rolesOf } from '../projects/records/project.ts'
export type { ImportCounts, Resource, ResourceStore } from '../projects/records/resource.ts'
export type { ProjectStores } from '../projects/stores.ts'
export type { OnSwept, RetainedKind, RetentionLimits, SweepLimits, SweptKind, SweptRows } from '../retention.ts'
export { percentEncodeAdvice, splitUrl, type UrlParts } from '../shared/addresses/split-url.ts'
export { sqlitePathFault } from '../shared/addresses/sqlite-path.ts'
export type { Instant } from '../shared/clock.ts'
export {
  examineSealedFields,
  type FieldsOfKey,
  type SealedFieldsReport,
} from '../shared/crypto/examine-sealed-fields.ts'
export { erasedField, isSealedField, type SealedField } from '../shared/crypto/field-encryption.ts'
export { lostFields } from '../shared/crypto/lost-fields.ts'
export * from '../shared/crypto/rotate-sealed-fields.ts'
export { type SealedColumn, type SealedTable, sealedColumns } from '../shared/crypto/sealed-columns.ts'
export type { ReplacedText, SealedRow, SealedRowsQuery, SealedTexts } from '../shared/crypto/sealed-texts.ts'
export type { DataMoveOptions, DataMoveProgress, DataSource, MovedTable } from '../shared/data-moves/data-move.ts'
export { DataMoveDiffers, DataMoveRefused } from '../shared/data-moves/errors.ts'
export type { DataSnapshot, StoredColumn, StoredRow, StoredTable, StoredValue } from '../shared/data-moves/snapshot.ts'
export { Overloaded, Unavailable } from '../shared/errors.ts'
export { examineClock } from '../shared/health/examine-clock.ts'
export type { Finding } from '../shared/health/finding.ts'
export type { HostClient } from '../shared/host-client.ts'
export type { ListPosition, PageQuery } from '../shared/list-page.ts'
export type * from '../shared/observed-storage.ts'
export type { RecoveredRows, RecoveryTimes } from '../shared/recovery.ts'
export type { SchemaEntry, SchemaEntryWithText } from '../shared/schema-registry/schema-entry.ts'
export type { SchemaRegistryStore } from '../shared/schema-registry/store.ts'
export type { Transactional } from '../shared/transactional.ts'
export type { UnavailableReason } from '../shared/unavailable-reason.ts'
export type { AllStores, DatabaseControl, FullStorage, MigratedStorage, Storage, StorageOf, Stores } from '../storage.ts'
