export type { ActionTypeWithText } from '../approvals/action-types/action-type.ts'
export type { PublishedReceiptKey, ReceiptKeyStore } from '../approvals/receipt-keys/receipt-key.ts'
export type { ActionPolicy, ActionPolicyStore } from '../approvals/records/action-policy.ts'
export type {
  ApprovalStore,
  ConfirmationUse,
  ConfirmationWithdrawal,
  RequestStop,
  RequestUse,
  RequestWithdrawal,
  Settlement,
} from '../approvals/records/approval.ts'
export type { ApprovalRequest, ApprovalRequestStore } from '../approvals/records/approval-request.ts'
export type {
  Approval,
  ApprovalOutcome,
  Confirmation,
  ConfirmationPageQuery,
  ConfirmationStore,
  Evidence,
  FinishedPage,
  FinishedQuery,
  WrongAttempt,
} from '../approvals/records/confirmation.ts'
export type { LiveApproval, LiveChange, WatchChanges } from '../approvals/records/live-change.ts'
export type { Announcement, PushWindowStore } from '../approvals/records/push-window.ts'
export type { Vouching, VouchingStore } from '../approvals/records/vouching.ts'
export { OtherIsolationLevel } from '../approvals/use/errors.ts'
export type { SecretStore } from '../identity/digest-key.ts'
export type { LoginCeiling, LoginFailureStore, LoginSource, LoginWaits } from '../identity/login-throttle/login-failures.ts'
export { CLOCK_TOLERANCE, decideRateLimit, giveBackToState, idleFrom, takeFromState } from '../identity/rate-limits/bucket.ts'
export type { RateLimitStore } from '../identity/rate-limits/store.ts'
export { SERVER_GONE_AFTER, type ServerStore } from '../identity/records/announced-server.ts'
export { type Bound, boundText } from '../identity/records/bound.ts'
export type { Challenge, ChallengePurpose, ChallengeStore } from '../identity/records/challenge.ts'
export type { Delegation, DelegationKey, DelegationStore } from '../identity/records/delegation.ts'
export type { Device, DeviceStore, RegistrationEvidence } from '../identity/records/device.ts'
export type { CodeUse, OneTimeCode, OneTimeCodeStore } from '../identity/records/one-time-code.ts'
export type { Passkey, PasskeyStore } from '../identity/records/passkey.ts'
export type { ServiceToken, ServiceTokenStore } from '../identity/records/service-token.ts'
export {
  endsThatKeepWork,
  type HostSignIn,
  type Rotation,
  type Session,
  type SessionEnd,
  type SessionStatus,
  type SessionStore,
} from '../identity/records/session.ts'
export type { EnrolmentQuestion, Registrations, TrustStore } from '../identity/records/trust-store.ts'
export type { ApproverQuery, NewUser, User, UserChange, UserQuery, UserStore } from '../identity/records/user.ts'
export type { SettledConfirmation } from '../identity/user-model/account-endings.ts'
export { oldSpellings } from '../identity/user-model/old-spellings.ts'
export { examineSchema } from '../operations/examine-schema.ts'
export { examineSealedFields, lostFields } from '../operations/sealed-fields/examine-sealed-fields.ts'
export { type RotatableStorage, rotateSealedFields } from '../operations/sealed-fields/rotate-sealed-fields.ts'
export { type SealedTexts, sealedColumns } from '../operations/sealed-fields/sealed-fields.ts'
export { allParts, checkedParts } from '../parts.ts'
export { builtInSchemas } from '../projects/product-schemas/built-in-schemas.ts'
export { type ProductSchemaWithText, productSchemaKey } from '../projects/product-schemas/product-schema.ts'
export { searchedText } from '../projects/projects/searched-text.ts'
export type { Customer, CustomerStore } from '../projects/records/customer.ts'
export type { Expense, ExpenseStore, ExpenseSums } from '../projects/records/expense.ts'
export {
  type NewProject,
  type PersonalProject,
  type Product,
  type Project,
  type ProjectDetail,
  type ProjectPage,
  type ProjectQuery,
  type ProjectReference,
  type ProjectStore,
  rolesOf,
} from '../projects/records/project.ts'
export type { ImportCounts, ImportStore, Resource, ResourceStore } from '../projects/records/resource.ts'
export type { ProjectStores } from '../projects/stores.ts'
export type { OnSwept, RetainedKind, SweepLimits } from '../retention.ts'
export { isSchemaName, schemaNames } from '../shared/addresses/schema-name.ts'
export { percentEncodeAdvice, splitUrl } from '../shared/addresses/split-url.ts'
export { sqlitePathFault } from '../shared/addresses/sqlite-path.ts'
export type { Instant } from '../shared/clock.ts'
export { erasedField, type SealedField } from '../shared/crypto/field-encryption.ts'
export type { DataMoveOptions, DataMoveProgress, DataSource, MovedTable } from '../shared/data-moves/data-move.ts'
export { DataMoveDiffers, DataMoveRefused } from '../shared/data-moves/errors.ts'
export type { DataSnapshot, StoredColumn, StoredRow, StoredTable } from '../shared/data-moves/snapshot.ts'
export { Overloaded, Unavailable } from '../shared/errors.ts'
export { fold } from '../shared/fold.ts'
export { examineClock } from '../shared/health/examine-clock.ts'
export type { PageQuery } from '../shared/list-page.ts'
export type { ConnectionStatistics } from '../shared/observed-storage.ts'
export type { SchemaRegistryStore } from '../shared/schema-registry/registry.ts'
export type { SchemaEntry, SchemaEntryWithText } from '../shared/schema-registry/schema-entry.ts'
export type { AllStores, FullStorage, MigratedStorage, RecoveredRows, RecoveryTimes, StorageOf, Stores } from '../storage.ts'
