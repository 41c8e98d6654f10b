export type { ClearNonce, Confirmation, SettledStatus } from './approvals/confirmations/confirmation.ts'
export { type ConfirmationStatement, confirmationChallenge } from './approvals/confirmations/confirmation-challenge.ts'
export {
  ConfirmationExpired,
  ConfirmationNotFound,
  ConfirmationUsed,
  TooManyPendingConfirmations,
  WrongConfirmationSignature,
} from './approvals/confirmations/errors.ts'
export type { ConfirmationView } from './approvals/confirmations/read-confirmation.ts'
export type { GivenPayload } from './approvals/confirmations/read-payload.ts'
export type { Approval, ConfirmationStore, Settlement } from './approvals/confirmations/store.ts'
export type { CountersignConfig } from './config.ts'
export { type Countersign, createCountersign } from './countersign.ts'
export type { Actor } from './identity/authentication/actor.ts'
export { type Caller, InsufficientTrustLevel, requirePermission } from './identity/authentication/caller.ts'
export { InvalidAccessToken, InvalidCredentials, InvalidRefreshToken } from './identity/authentication/errors.ts'
export type { Introspection, TokenQuestion } from './identity/authentication/introspect.ts'
export type { Challenge, ChallengePurpose, ChallengeSubjects } from './identity/challenges/challenge.ts'
export type { ChallengeStore } from './identity/challenges/store.ts'
export type { CredentialCounts, DecoyProfile, PasskeyForm } from './identity/decoys/decoy-profile.ts'
export type { DecoyProfileStore } from './identity/decoys/store.ts'
export type { Device } from './identity/devices/device.ts'
export {
  DeviceAlreadyRegistered,
  DeviceNotFound,
  InvalidBiometricToken,
  InvalidDeviceSignature,
  OtherDevice,
  RegistrationChallengeGone,
  RegistrationChallengeNotFound,
  TooManyDevices,
} from './identity/devices/errors.ts'
export type { DeviceStore } from './identity/devices/store.ts'
export type { FromClient } from './identity/login/from-client.ts'
export type {
  LoginCeiling,
  LoginFailureStore,
  LoginFailures,
  LoginStanding,
  LoginWaits,
} from './identity/login/login-failures.ts'
export type { LoginSource } from './identity/login/login-source.ts'
export {
  InvalidPasskey,
  PasskeyAlreadyRegistered,
  PasskeyNotFound,
  PasskeyOfSeveralUsers,
  PasskeyRegistrationGone,
  PasskeyRegistrationNotFound,
  TooManyPasskeys,
} from './identity/passkeys/errors.ts'
export type { Passkey } from './identity/passkeys/passkey.ts'
export type { RelyingParty } from './identity/passkeys/relying-party.ts'
export type { PasskeyStore, PasskeyUse } from './identity/passkeys/store.ts'
export { type Argon2Options, argon2Hasher } from './identity/passwords/argon2.ts'
export type { PasswordHasher } from './identity/passwords/hasher.ts'
export { noPush, type PushMessage, type PushProvider } from './identity/push/push-provider.ts'
export { capacityMs, decide, effectiveFullAt } from './identity/rate-limits/bucket.ts'
export { defaultRateLimits, perMinute, type RateLimits } from './identity/rate-limits/limits.ts'
export type { RateLimit, RateLimitDecision, RateLimitStore } from './identity/rate-limits/store.ts'
export type { RateLimitOutcome } from './identity/rate-limits/take-rate-limit.ts'
export { ServiceTokenNotFound } from './identity/service-tokens/errors.ts'
export type { IssuedServiceToken, IssueServiceToken } from './identity/service-tokens/issue-service-token.ts'
export type { ServiceToken } from './identity/service-tokens/service-token.ts'
export type { ServiceTokenStore } from './identity/service-tokens/store.ts'
export { SessionNotFound } from './identity/sessions/errors.ts'
export type { SessionProfile } from './identity/sessions/list-sessions.ts'
export type { Session, SessionEnd, SessionKind, SessionStatus } from './identity/sessions/session.ts'
export type { Rotation, SessionStore } from './identity/sessions/store.ts'
export type { TokenPair } from './identity/tokens/issue-tokens.ts'
export type { CreateUser } from './identity/users/create-user.ts'
export type { DirectoryUser, UserDirectory } from './identity/users/directory.ts'
export { UserDirectoryMistake } from './identity/users/directory-mistake.ts'
export { normaliseEmail } from './identity/users/email.ts'
export { EmailTaken, UserChangedMeanwhile, UserNotFound, UsersKeptElsewhere } from './identity/users/errors.ts'
export { grantsAnything, knownPermissions } from './identity/users/known-permissions.ts'
export type { NewUser, UserChange, UserStore } from './identity/users/store.ts'
export type { User, UserProfile } from './identity/users/user.ts'
export type { ProfileInput } from './identity/users/user-input.ts'
export { defaultOptions, type GivenOptions, type Options } from './options.ts'
export type { Customer } from './projects/customers/customer.ts'
export type { CustomerStore } from './projects/customers/store.ts'
export { formatAmount } from './projects/expenses/amount.ts'
export type { Amount, Expense } from './projects/expenses/expense.ts'
export type { ExpenseStore, ExpenseSums } from './projects/expenses/store.ts'
export type { ExpenseSummary } from './projects/expenses/sum-expenses.ts'
export { InvalidImportLine } from './projects/imports/errors.ts'
export { type ImportLine, importMembers } from './projects/imports/import-lines.ts'
export { type BuiltInSchema, builtInSchemas } from './projects/product-schemas/built-in-schemas.ts'
export type { Compatibility } from './projects/product-schemas/check-product-schema.ts'
export {
  ProductAttributesRefused,
  ProductSchemaBreaks,
  ProductSchemaNotFound,
  ProductSchemasChangedMeanwhile,
  ProductSchemaTaken,
} from './projects/product-schemas/errors.ts'
export { newestActive } from './projects/product-schemas/newest-active.ts'
export {
  type ProductSchema,
  type ProductSchemaRegistry,
  type ProductSchemaWithText,
  productSchemaKey,
} from './projects/product-schemas/product-schema.ts'
export type { RegisterProductSchema } from './projects/product-schemas/register-product-schema.ts'
export type { ProductSchemaStore } from './projects/product-schemas/store.ts'
export { ProjectCodeMistake } from './projects/projects/code-mistake.ts'
export { ProjectCodeTaken, ProjectNotFound } from './projects/projects/errors.ts'
export type { ProjectList } from './projects/projects/list-projects.ts'
export type { Contact, Product, Project, ProjectDetail } from './projects/projects/project.ts'
export { searchedText } from './projects/projects/searched-text.ts'
export type {
  NewProject,
  ProjectChange,
  ProjectPage,
  ProjectQuery,
  ProjectReference,
  ProjectStore,
} from './projects/projects/store.ts'
export type { ResourceCount } from './projects/resources/count-resources.ts'
export type { Resource } from './projects/resources/resource.ts'
export type { ImportCounts, ResourceStore } from './projects/resources/store.ts'
export type { Background } from './shared/background.ts'
export { type Clock, type Instant, systemClock, toIsoTimestamp } from './shared/clock.ts'
export {
  examineSealedFields,
  type FieldsOfKey,
  type SealedFieldsReport,
  sealedColumns,
} from './shared/crypto/examine-sealed-fields.ts'
export { isSealedField, type SealedField } from './shared/crypto/field-encryption.ts'
export { generateKeyRing, InvalidKeyRing, type KeyRing, parseKeyRing } from './shared/crypto/key-ring.ts'
export type { DataMoveOptions, DataMoveProgress, DataSource, MovedTable } from './shared/data-moves/data-move.ts'
export { DataMoveDiffers, DataMoveRefused, DataMoveUnfinished } from './shared/data-moves/errors.ts'
export type { DataSnapshot, StoredColumn, StoredRow, StoredTable, StoredValue } from './shared/data-moves/snapshot.ts'
export {
  Conflict,
  CountersignError,
  type ErrorKind,
  Forbidden,
  Gone,
  Invalid,
  NotFound,
  RateLimited,
  Unauthenticated,
  Unavailable,
} from './shared/errors.ts'
export type { HealthReport } from './shared/health/check-health.ts'
export { inspectJson } from './shared/json/inspect-json.ts'
export { type JsonPath, JsonRefused } from './shared/json/json-refused.ts'
export type { BreakingChange } from './shared/json-schema/compatibility/breaking-change.ts'
export { SchemaRefused } from './shared/json-schema/schema-refused.ts'
export { type Logger, silentLogger } from './shared/logger.ts'
export { type Random, systemRandom } from './shared/random.ts'
export type { AllStores, DatabaseControl, FullStorage, MigratedStorage, Storage, Stores } from './storage.ts'
