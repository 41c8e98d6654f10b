export type * from '@countersign/contract/action-types'
export type { ApproveOptions } from './approvals/approve-confirmation.ts'
export type { Confirmation, ConfirmationMethods, ReceiptMethods, RejectOptions } from './approvals/methods.ts'
export type {
  RequestedApprovals,
  RequestedConfirmation,
  SettledApprovalRequest,
  SettledConfirmation,
} from './approvals/request-decision.ts'
export type { Client, LiveClient } from './client.ts'
export { type ClientOptions, createClient } from './create-client.ts'
export type {
  ActionMethod,
  CallOptions,
  Method,
  MethodWithoutInput,
  ObtainApprovalOptions,
  RequestedApproval,
} from './http/call.ts'
export type { DeviceSigner, PendingConfirmation, SigningPurpose } from './identity/devices/device-signer.ts'
export { type KeyPairSigner, keyPairSigner, type SigningKeyPair } from './identity/devices/key-pair-signer.ts'
export type { LoginByDevice } from './identity/devices/login-by-device.ts'
export type { RegisterDevice, RegisteredDevice } from './identity/devices/register-device.ts'
export { deviceNameFrom } from './identity/devices/register-device.ts'
export { type WebCryptoSignerOptions, webCryptoSigner } from './identity/devices/web-crypto-signer.ts'
export type {
  AccountMethods,
  AuthMethods,
  Device,
  DeviceMethods,
  HealthMethods,
  InternalMethods,
  MobileMethods,
  OwnSession,
  Passkey,
  PasskeyMethods,
  PasswordMethods,
  ProductSchemaMethods,
  SessionMethods,
} from './identity/methods.ts'
export type { CreatedPasskey, CreatePasskey } from './identity/passkeys/create-passkey.ts'
export type { LoginWithPasskey } from './identity/passkeys/login-with-passkey.ts'
export type { RegisteredTrust, Vouching } from './identity/vouching.ts'
export type { ListedProject, ProjectPages } from './projects/list-projects.ts'
export type { Project, ProjectChanges, ProjectMethods } from './projects/methods.ts'
export type { AdoptedTokens } from './session/adopted-tokens.ts'
export { type AsyncKeyValueStorage, asyncTokenStore } from './session/async-token-store.ts'
export { browserTokenStore } from './session/browser-token-store.ts'
export type { ClientEvents, SignedOutEvent, SignedOutReason, UserEvent } from './session/events.ts'
export type { ChangeEndings, StoredTokens, TokenStore } from './session/token-store.ts'
export { memoryTokenStore } from './session/token-store.ts'
export {
  CountersignError,
  type ErrorCode,
  type RequiredAction,
  type RequiredPolicy,
  type ServiceCode,
} from './shared/errors/countersign-error.ts'
export type { Milliseconds, Seconds } from './shared/time/units.ts'
