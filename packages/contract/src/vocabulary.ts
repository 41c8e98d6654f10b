/** The values of the HTTP interface that more than one package needs: closed lists. Plain data; `limits.ts` has the limits. */

export const deviceTypes = ['mobile', 'desktop', 'tablet'] as const
export type DeviceType = (typeof deviceTypes)[number]

/** The pages that say that they registered a device. */
export const deviceRegistrars = ['approver'] as const
export type DeviceRegistrar = (typeof deviceRegistrars)[number]

/** JWA names of the signature algorithms a device key may use (RFC 7518 §3.1). */
export const keyAlgorithms = ['ES256', 'RS256', 'PS256'] as const
export type KeyAlgorithm = (typeof keyAlgorithms)[number]

/** The actions that a user can be asked to confirm. */
export const actionTypes = [
  'payment_approval',
  'document_approval',
  'purchase_order',
  'user_access',
  'settings_change',
  'password_change',
  'device_register',
  'sensitive_data_access',
] as const
export type ActionType = (typeof actionTypes)[number]

/** The states of a confirmation. `expired` follows from the clock. */
export const confirmationStatuses = ['pending', 'approved', 'rejected', 'expired'] as const
export type ConfirmationStatus = (typeof confirmationStatuses)[number]

/** The states of an approval request. `approved` and `expired` follow from the approvals and the clock. */
export const approvalStatuses = ['pending', 'approved', 'rejected', 'expired', 'redeemed'] as const
export type ApprovalStatus = (typeof approvalStatuses)[number]

/** The purposes of tokens. A token of one purpose is never accepted for another. */
export const tokenUses = ['access', 'biometric_access', 'refresh', 'biometric_refresh', 'service'] as const
export type TokenUse = (typeof tokenUses)[number]

/** The ways to open a session. `host`: the host has signed the user in itself. */
export const authMethods = ['password', 'webauthn', 'biometric', 'host'] as const
export type AuthMethod = (typeof authMethods)[number]

/** The trust levels of a token: `high` only after a login by device signature. */
export const trustLevels = ['standard', 'high'] as const
export type TrustLevel = (typeof trustLevels)[number]

/** The one-time codes that set a password: of a reset or invitation by an administrator, or of a person who forgot the password. */
export const passwordCodeKinds = ['reset', 'invitation', 'forgot'] as const
export type PasswordCodeKind = (typeof passwordCodeKinds)[number]

/** The levels of user verification by the authenticator (WebAuthn Level 3 §5.8.6), the strictest first. */
export const userVerificationRequirements = ['required', 'preferred', 'discouraged'] as const
export type UserVerificationRequirement = (typeof userVerificationRequirements)[number]

/** The preferences for a discoverable passkey, which a login finds without an email (WebAuthn Level 3 §5.4.6). */
export const residentKeyRequirements = ['discouraged', 'preferred', 'required'] as const

/** The places of an authenticator: in the device, or roaming (WebAuthn Level 3 §5.4.5). */
export const authenticatorAttachments = ['platform', 'cross-platform'] as const

/** COSE identifiers of the signature algorithms for passkeys, the preferred first: ES256 and RS256 (RFC 9053, RFC 8812). */
export const passkeyAlgorithms = [-7, -257] as const
export type PasskeyAlgorithm = (typeof passkeyAlgorithms)[number]

/** The states of a dependency in a health report. */
export const probeStatuses = ['healthy', 'unhealthy', 'not_configured'] as const
export type ProbeStatus = (typeof probeStatuses)[number]

/** The rate-limit categories that have a limit by default. */
export const rateLimitCategories = [
  'authentication',
  'beginning',
  'device-registration',
  'confirmation',
  'device-management',
  'session-opening',
] as const
export type RateLimitCategory = (typeof rateLimitCategories)[number]

/** The rate-limit categories that have a limit only if the host sets one. */
export const optionalRateLimitCategories = ['confirmation-reading', 'projects', 'internal', 'health'] as const
export type OptionalRateLimitCategory = (typeof optionalRateLimitCategories)[number]

/** The stages of a project, in any order. */
export const projectProgressValues = [
  'technical_negotiating',
  'bidding',
  'waiting_for_contract',
  'contract_negotiating',
  'production_planning',
  'in_production',
  'delivering',
] as const
export type ProjectProgress = (typeof projectProgressValues)[number]

/** The keys by which a list of projects can be sorted. */
export const projectSortKeys = [
  'created_at',
  'updated_at',
  'name',
  'unique_code',
  'contract_value',
  'reply_date',
  'status',
  'progress',
] as const
export type ProjectSortKey = (typeof projectSortKeys)[number]

export const sortOrders = ['asc', 'desc'] as const
export type SortOrder = (typeof sortOrders)[number]

export const resourceTypes = ['Task', 'PurchaseRequest', 'PurchaseOrder', 'Delivery', 'ProductionOrder'] as const
export type ResourceType = (typeof resourceTypes)[number]

/** The categories of expenses. */
export const expenseCategories = ['materials', 'labor', 'overhead'] as const
export type ExpenseCategory = (typeof expenseCategories)[number]
