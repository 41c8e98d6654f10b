export type { Actor } from './auth/actor.ts'
export { type Caller, InsufficientTrustLevel, requirePermission } from './auth/caller.ts'
export { InvalidAccessToken, InvalidCredentials, InvalidRefreshToken } from './auth/errors.ts'
export type { FromClient } from './auth/from-client.ts'
export type { Introspection, Introspector, TokenQuestion } from './auth/introspect.ts'
export type { TokenPair } from './auth/issue-tokens.ts'
export type {
  LoginCeiling,
  LoginFailureStore,
  LoginFailures,
  LoginStanding,
  LoginWaits,
} from './auth/login-failures.ts'
export type { LoginSource } from './auth/login-source.ts'
export type { Challenge, ChallengePurpose, ChallengeSubjects } from './challenges/challenge.ts'
export type { ChallengeStore } from './challenges/store.ts'
export type { CountersignConfig } from './config.ts'
export type { ClearNonce, Confirmation, SettledStatus } from './confirmations/confirmation.ts'
export { type ConfirmationStatement, confirmationChallenge } from './confirmations/confirmation-challenge.ts'
export {
  ConfirmationExpired,
  ConfirmationNotFound,
  ConfirmationUsed,
  TooManyPendingConfirmations,
  WrongConfirmationSignature,
} from './confirmations/errors.ts'
export type { ConfirmationView } from './confirmations/read-confirmation.ts'
export type { GivenPayload } from './confirmations/read-payload.ts'
export type { Approval, ConfirmationStore, Settlement } from './confirmations/store.ts'
export { type Countersign, createCountersign } from './countersign.ts'
export {
  examineSealedFields,
  type FieldsOfKey,
  type SealedFieldsReport,
  sealedColumns,
} from './crypto/examine-sealed-fields.ts'
export { isSealedField, type SealedField } from './crypto/field-encryption.ts'
export { generateKeyRing, InvalidKeyRing, type KeyRing, parseKeyRing } from './crypto/key-ring.ts'
export type { Customer } from './customers/customer.ts'
export type { CustomerStore } from './customers/store.ts'
export type { DataMoveOptions, DataMoveProgress, DataSource, MovedTable } from './data-moves/data-move.ts'
export { DataMoveDiffers, DataMoveRefused, DataMoveUnfinished } from './data-moves/errors.ts'
export type { DataSnapshot, StoredColumn, StoredRow, StoredTable, StoredValue } from './data-moves/snapshot.ts'
export type { CredentialCounts, DecoyProfile, PasskeyForm } from './decoys/decoy-profile.ts'
export type { DecoyProfileStore } from './decoys/store.ts'
export type { Device } from './devices/device.ts'
export {
  DeviceAlreadyRegistered,
  DeviceNotFound,
  InvalidBiometricToken,
  InvalidDeviceSignature,
  OtherDevice,
  RegistrationChallengeGone,
  RegistrationChallengeNotFound,
  TooManyDevices,
} from './devices/errors.ts'
export type { DeviceStore } from './devices/store.ts'
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
} from './errors.ts'
export { formatAmount } from './expenses/amount.ts'
export type { Amount, Expense } from './expenses/expense.ts'
export type { ExpenseStore, ExpenseSums } from './expenses/store.ts'
export type { ExpenseSummary } from './expenses/sum-expenses.ts'
export type { HealthReport } from './health/check-health.ts'
export { InvalidImportLine } from './imports/errors.ts'
export { type ImportLine, importMembers } from './imports/import-lines.ts'
export { inStep } from './in-step.ts'
export { inspectJson } from './json/inspect-json.ts'
export { type JsonPath, JsonRefused } from './json/json-refused.ts'
export type { BreakingChange } from './json-schema/compatibility/breaking-change.ts'
export { SchemaRefused } from './json-schema/schema-refused.ts'
export { defaultOptions, type GivenOptions, type Options } from './options.ts'
export {
  InvalidPasskey,
  PasskeyAlreadyRegistered,
  PasskeyNotFound,
  PasskeyOfSeveralUsers,
  PasskeyRegistrationGone,
  PasskeyRegistrationNotFound,
  TooManyPasskeys,
} from './passkeys/errors.ts'
export type { Passkey } from './passkeys/passkey.ts'
export type { RelyingParty } from './passkeys/relying-party.ts'
export type { PasskeyStore, PasskeyUse } from './passkeys/store.ts'
export { type Argon2Options, argon2Hasher } from './passwords/argon2.ts'
export type { PasswordHasher } from './passwords/hasher.ts'
export type { Background } from './ports/background.ts'
export { type Clock, type Instant, systemClock, toIsoTimestamp } from './ports/clock.ts'
export { type Logger, silentLogger } from './ports/logger.ts'
export { type Random, systemRandom } from './ports/random.ts'
export type { MigratedStorage, Storage, Stores } from './ports/storage.ts'
export { type BuiltInSchema, builtInSchemas } from './product-schemas/built-in-schemas.ts'
export type { Compatibility } from './product-schemas/check-product-schema.ts'
export {
  ProductAttributesRefused,
  ProductSchemaBreaks,
  ProductSchemaNotFound,
  ProductSchemasChangedMeanwhile,
  ProductSchemaTaken,
} from './product-schemas/errors.ts'
export { newestActive } from './product-schemas/newest-active.ts'
export {
  type ProductSchema,
  type ProductSchemaRegistry,
  type ProductSchemaWithText,
  productSchemaKey,
} from './product-schemas/product-schema.ts'
export type { RegisterProductSchema } from './product-schemas/register-product-schema.ts'
export type { ProductSchemaStore } from './product-schemas/store.ts'
export { ProjectCodeMistake } from './projects/code-mistake.ts'
export { ProjectCodeTaken, ProjectNotFound } from './projects/errors.ts'
export type { ProjectList } from './projects/list-projects.ts'
export type { Contact, Product, Project, ProjectDetail } from './projects/project.ts'
export { searchedText } from './projects/searched-text.ts'
export type { NewProject, ProjectChange, ProjectPage, ProjectQuery, ProjectReference, ProjectStore } from './projects/store.ts'
export { noPush, type PushMessage, type PushProvider } from './push/push-provider.ts'
export { capacityMs, decide, effectiveFullAt } from './rate-limits/bucket.ts'
export { defaultRateLimits, perMinute, type RateLimits } from './rate-limits/limits.ts'
export type { RateLimit, RateLimitDecision, RateLimitStore } from './rate-limits/store.ts'
export type { RateLimitOutcome } from './rate-limits/take-rate-limit.ts'
export type { ResourceCount } from './resources/count-resources.ts'
export type { Resource } from './resources/resource.ts'
export type { ImportCounts, ResourceStore } from './resources/store.ts'
export { ServiceTokenNotFound } from './service-tokens/errors.ts'
export type { IssuedServiceToken, IssueServiceToken } from './service-tokens/issue-service-token.ts'
export type { ServiceToken } from './service-tokens/service-token.ts'
export type { ServiceTokenStore } from './service-tokens/store.ts'
export { SessionNotFound } from './sessions/errors.ts'
export type { SessionProfile } from './sessions/list-sessions.ts'
export type { Session, SessionEnd, SessionKind, SessionStanding } from './sessions/session.ts'
export type { Rotation, SessionStore } from './sessions/store.ts'
export { type Soon, whenKnown } from './soon.ts'
export type { CreateUser } from './users/create-user.ts'
export type { DirectoryUser, UserDirectory } from './users/directory.ts'
export { UserDirectoryMistake } from './users/directory-mistake.ts'
export { normaliseEmail } from './users/email.ts'
export { EmailTaken, UserChangedMeanwhile, UserNotFound, UsersKeptElsewhere } from './users/errors.ts'
export { grantsAnything, knownPermissions } from './users/known-permissions.ts'
export type { NewUser, UserChange, UserStore } from './users/store.ts'
export type { User, UserProfile } from './users/user.ts'
export type { ProfileInput } from './users/user-input.ts'
