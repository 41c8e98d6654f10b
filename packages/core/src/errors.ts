import type { ErrorCode } from '@countersign/contract'
import {
  ActionTypeBreaks,
  ActionTypeNotFound,
  ActionTypesChangedMeanwhile,
  ActionTypeTaken,
  DisplayRefused,
} from './approvals/action-types/errors.ts'
import {
  ConfirmationExpired,
  ConfirmationNotFound,
  ConfirmationUsed,
  TooManyPendingConfirmations,
  WrongConfirmationSignature,
  WrongMatchNumber,
} from './approvals/confirmations/errors.ts'
import { ConfirmationConsumed, ConfirmationNotApproved, ConfirmationTooOld, OtherAction } from './approvals/consumption/errors.ts'
import { ConfirmationRequired } from './approvals/gates/errors.ts'
import {
  ReceiptKeyEnded,
  ReceiptKeyNotFound,
  ReceiptNotFound,
  ReceiptsNotConfigured,
  ReceiptsUnavailable,
  ReceiptUnavailable,
} from './approvals/receipts/errors.ts'
import { InsufficientTrustLevel } from './identity/authentication/caller.ts'
import { MissingScope } from './identity/authentication/calling-service.ts'
import { InvalidAccessToken, InvalidCredentials, InvalidRefreshToken } from './identity/authentication/errors.ts'
import {
  DeviceAlreadyRegistered,
  DeviceAlreadyTrusted,
  DeviceNotFound,
  InvalidBiometricToken,
  InvalidDeviceSignature,
  OtherDevice,
  RegistrationChallengeGone,
  RegistrationChallengeNotFound,
  TooManyDevices,
} from './identity/devices/errors.ts'
import { InvalidOneTimeCode } from './identity/one-time-codes/errors.ts'
import {
  InvalidPasskey,
  PasskeyAlreadyRegistered,
  PasskeyNotFound,
  PasskeyOfSeveralUsers,
  PasskeyRegistrationGone,
  PasskeyRegistrationNotFound,
  TooManyPasskeys,
} from './identity/passkeys/errors.ts'
import { ServiceTokenNotFound } from './identity/service-tokens/errors.ts'
import { SessionNotFound } from './identity/sessions/errors.ts'
import { EmailTaken, UserChangedMeanwhile, UserNotFound, UserRefused, UsersKeptElsewhere } from './identity/users/errors.ts'
import { InvalidImportLine } from './projects/imports/errors.ts'
import {
  ProductAttributesRefused,
  ProductSchemaBreaks,
  ProductSchemaNotFound,
  ProductSchemasChangedMeanwhile,
  ProductSchemaTaken,
} from './projects/product-schemas/errors.ts'
import { ProjectCodeTaken, ProjectNotFound } from './projects/projects/errors.ts'
import { DataMoveDiffers, DataMoveRefused, DataMoveUnfinished } from './shared/data-moves/errors.ts'
import {
  Conflict,
  CountersignError,
  Forbidden,
  Gone,
  Invalid,
  NotFound,
  RateLimited,
  Unauthenticated,
  Unavailable,
} from './shared/errors.ts'
import { JsonRefused } from './shared/json/json-refused.ts'
import { SchemaRefused } from './shared/json-schema/schema-refused.ts'

type ErrorClass = abstract new (...input: never[]) => CountersignError

/**
 * The error classes of the core by code. `errorDescriptions` says when each error happens and what to do.
 * `JsonRefused` shares the code of `Invalid`.
 */
export const errorClasses = {
  invalid_input: Invalid,
  unauthenticated: Unauthenticated,
  forbidden: Forbidden,
  not_found: NotFound,
  conflict: Conflict,
  gone: Gone,
  rate_limited: RateLimited,
  unavailable: Unavailable,
  schema_refused: SchemaRefused,
  data_move_refused: DataMoveRefused,
  data_move_differs: DataMoveDiffers,
  data_move_unfinished: DataMoveUnfinished,

  invalid_credentials: InvalidCredentials,
  invalid_access_token: InvalidAccessToken,
  invalid_refresh_token: InvalidRefreshToken,
  insufficient_trust_level: InsufficientTrustLevel,
  missing_scope: MissingScope,
  device_already_registered: DeviceAlreadyRegistered,
  too_many_devices: TooManyDevices,
  device_already_trusted: DeviceAlreadyTrusted,
  device_not_found: DeviceNotFound,
  registration_challenge_not_found: RegistrationChallengeNotFound,
  registration_challenge_gone: RegistrationChallengeGone,
  invalid_device_signature: InvalidDeviceSignature,
  invalid_biometric_token: InvalidBiometricToken,
  other_device: OtherDevice,
  invalid_passkey: InvalidPasskey,
  passkey_registration_not_found: PasskeyRegistrationNotFound,
  passkey_registration_gone: PasskeyRegistrationGone,
  passkey_already_registered: PasskeyAlreadyRegistered,
  too_many_passkeys: TooManyPasskeys,
  passkey_not_found: PasskeyNotFound,
  passkey_of_several_users: PasskeyOfSeveralUsers,
  email_taken: EmailTaken,
  user_not_found: UserNotFound,
  user_refused: UserRefused,
  user_changed_meanwhile: UserChangedMeanwhile,
  users_kept_elsewhere: UsersKeptElsewhere,
  invalid_one_time_code: InvalidOneTimeCode,
  session_not_found: SessionNotFound,
  service_token_not_found: ServiceTokenNotFound,

  confirmation_not_found: ConfirmationNotFound,
  confirmation_used: ConfirmationUsed,
  confirmation_expired: ConfirmationExpired,
  wrong_confirmation_signature: WrongConfirmationSignature,
  wrong_match_number: WrongMatchNumber,
  confirmation_not_approved: ConfirmationNotApproved,
  other_action: OtherAction,
  confirmation_consumed: ConfirmationConsumed,
  confirmation_too_old: ConfirmationTooOld,
  too_many_pending_confirmations: TooManyPendingConfirmations,
  CONFIRMATION_REQUIRED: ConfirmationRequired,
  receipts_not_configured: ReceiptsNotConfigured,
  receipts_unavailable: ReceiptsUnavailable,
  receipt_not_found: ReceiptNotFound,
  receipt_unavailable: ReceiptUnavailable,
  receipt_key_not_found: ReceiptKeyNotFound,
  receipt_key_ended: ReceiptKeyEnded,
  action_type_not_found: ActionTypeNotFound,
  action_type_taken: ActionTypeTaken,
  action_type_breaks: ActionTypeBreaks,
  action_types_changed_meanwhile: ActionTypesChangedMeanwhile,
  display_refused: DisplayRefused,

  project_not_found: ProjectNotFound,
  project_code_taken: ProjectCodeTaken,
  product_attributes_refused: ProductAttributesRefused,
  product_schema_not_found: ProductSchemaNotFound,
  product_schema_taken: ProductSchemaTaken,
  product_schema_breaks: ProductSchemaBreaks,
  product_schemas_changed_meanwhile: ProductSchemasChangedMeanwhile,
  invalid_import_line: InvalidImportLine,
} as const satisfies Partial<Record<ErrorCode, ErrorClass>>

/** A code that the core throws. The HTTP server has a few codes more, for requests that reach no use case. */
export type CoreErrorCode = keyof typeof errorClasses

export { type ErrorCode, type ErrorDescription, errorDescriptions } from '@countersign/contract'
export type { ErrorKind } from './shared/errors.ts'
export {
  ActionTypeBreaks,
  ActionTypeNotFound,
  ActionTypesChangedMeanwhile,
  ActionTypeTaken,
  ConfirmationConsumed,
  ConfirmationExpired,
  ConfirmationNotApproved,
  ConfirmationNotFound,
  ConfirmationRequired,
  ConfirmationTooOld,
  ConfirmationUsed,
  Conflict,
  CountersignError,
  DataMoveDiffers,
  DataMoveRefused,
  DataMoveUnfinished,
  DeviceAlreadyRegistered,
  DeviceAlreadyTrusted,
  DeviceNotFound,
  DisplayRefused,
  EmailTaken,
  Forbidden,
  Gone,
  InsufficientTrustLevel,
  Invalid,
  InvalidAccessToken,
  InvalidBiometricToken,
  InvalidCredentials,
  InvalidDeviceSignature,
  InvalidImportLine,
  InvalidOneTimeCode,
  InvalidPasskey,
  InvalidRefreshToken,
  JsonRefused,
  MissingScope,
  NotFound,
  OtherAction,
  OtherDevice,
  PasskeyAlreadyRegistered,
  PasskeyNotFound,
  PasskeyOfSeveralUsers,
  PasskeyRegistrationGone,
  PasskeyRegistrationNotFound,
  ProductAttributesRefused,
  ProductSchemaBreaks,
  ProductSchemaNotFound,
  ProductSchemasChangedMeanwhile,
  ProductSchemaTaken,
  ProjectCodeTaken,
  ProjectNotFound,
  RateLimited,
  ReceiptKeyEnded,
  ReceiptKeyNotFound,
  ReceiptNotFound,
  ReceiptsNotConfigured,
  ReceiptsUnavailable,
  ReceiptUnavailable,
  RegistrationChallengeGone,
  RegistrationChallengeNotFound,
  SchemaRefused,
  ServiceTokenNotFound,
  SessionNotFound,
  TooManyDevices,
  TooManyPasskeys,
  TooManyPendingConfirmations,
  Unauthenticated,
  Unavailable,
  UserChangedMeanwhile,
  UserNotFound,
  UserRefused,
  UsersKeptElsewhere,
  WrongConfirmationSignature,
  WrongMatchNumber,
}
