export { type Operation, type OperationName, operations } from './operations.ts'
export { actionPayloads } from './schemas/confirmations.ts'
export { characterCount } from './schemas/fields.ts'
export { errorBody, serviceName, tokenRefusal } from './schemas/internal.ts'
export { type Checked, type Input, type Output, shapes } from './shapes.ts'
export {
  type ActionType,
  type AuthMethod,
  actionTypes,
  authMethods,
  type ConfirmationStatus,
  confirmationStatuses,
  type DeviceType,
  deviceTypes,
  type KeyAlgorithm,
  keyAlgorithms,
  limits,
  type ProbeStatus,
  probeStatuses,
  type RateLimitCategory,
  rateLimitCategories,
  type TokenUse,
  type TrustLevel,
  tokenUses,
  trustLevels,
} from './vocabulary.ts'
